// Looks up a path among templates such as `/api/groups/{groupId}`. A literal part takes precedence over a placeholder, so
// `/users/current` is never the id of a user.

/** An entry of a table of paths. */
export interface PathEntry<T> {
  readonly method: string;
  /** A template: its parts between slashes are literal, or `{name}`. */
  readonly path: string;
  readonly value: T;
}

/** The result of looking up a request line. */
type Match<T> =
  | {
      readonly found: 'entry';
      readonly value: T;
      readonly parameters: Readonly<Record<string, string>>;
    }
  | { readonly found: 'other methods'; readonly methods: readonly string[] }
  | { readonly found: 'nothing' };

export type PathTable<T> = (method: string, path: string) => Match<T>;

interface Branch<T> {
  readonly literals: Map<string, Branch<T>>;
  placeholder?: Branch<T>;
  readonly entries: Map<string, PathEntry<T>>;
}

/**
 * The template to use if both a literal and a placeholder match: the literal, even if it lacks the method, or the first template
 * with the method.
 */
type Preference = 'the literal' | 'the method';

/** A function that looks a method and a path (without query) up in `entries`. */
export function pathTable<T>(
  entries: readonly PathEntry<T>[],
  preference: Preference = 'the literal',
): PathTable<T> {
  const root = newBranch<T>();
  for (const entry of entries) {
    let branch = root;
    for (const part of entry.path.split('/')) branch = grow(branch, part);
    branch.entries.set(entry.method, entry);
  }
  return (method, path) => {
    const parts = path.split('/');
    const branches: Branch<T>[] = [];
    walk(root, parts, 0, branches);
    const [first] = branches;
    if (first === undefined) return { found: 'nothing' };
    const meant = preference === 'the literal' ? [first] : branches;
    const entry = meant.find(({ entries: of }) => of.has(method))?.entries.get(method);
    if (entry === undefined) return { found: 'other methods', methods: methodsOf(meant) };
    const parameters = readParameters(entry.path.split('/'), parts);
    if (parameters === undefined) return { found: 'nothing' };
    return { found: 'entry', value: entry.value, parameters };
  };
}

function newBranch<T>(): Branch<T> {
  return { literals: new Map(), entries: new Map() };
}

function grow<T>(branch: Branch<T>, part: string): Branch<T> {
  if (isPlaceholder(part)) {
    branch.placeholder ??= newBranch();
    return branch.placeholder;
  }
  const next = branch.literals.get(part) ?? newBranch();
  branch.literals.set(part, next);
  return next;
}

/**
 * Adds to `ends` the last branch of each template that matches the parts from `index` on; literal parts come before placeholders.
 */
function walk<T>(
  branch: Branch<T>,
  parts: readonly string[],
  index: number,
  ends: Branch<T>[],
): void {
  const part = parts[index];
  if (part === undefined) {
    if (branch.entries.size > 0) ends.push(branch);
    return;
  }
  const literal = branch.literals.get(part);
  if (literal) walk(literal, parts, index + 1, ends);
  // An empty part is not a value: `/api/groups/` is a different path, which matches no template.
  if (branch.placeholder && part !== '') walk(branch.placeholder, parts, index + 1, ends);
}

function methodsOf<T>(branches: readonly Branch<T>[]): readonly string[] {
  return [...new Set(branches.flatMap(branch => [...branch.entries.keys()]))];
}

function readParameters(
  template: readonly string[],
  parts: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const values: Record<string, string> = {};
  for (const [index, name] of template.entries()) {
    if (!isPlaceholder(name)) continue;
    const value = decoded(parts[index] ?? '');
    if (value === undefined) return undefined;
    values[name.slice(1, -1)] = value;
  }
  return values;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function isPlaceholder(part: string): boolean {
  return part.startsWith('{') && part.endsWith('}');
}
