// The criteria by which the objects of a drawing can be grouped.

/**
 * `place`: the network or route that contains an object, or the one to which it leads. `folder`: the folder of the file that
 * declares the object. `label`: the first word of the object's name, such as `hamburg` of `hamburg staff`, if several objects
 * share that word.
 */
export const GROUPINGS = ['place', 'folder', 'label'] as const;

export type Grouping = (typeof GROUPINGS)[number];

/** The folders of objects by their names in pictures, such as `group/on-call`. */
export type Folders = ReadonlyMap<string, string>;
