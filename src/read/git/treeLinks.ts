// Links in a git revision, followed as a file system would follow them, without a checkout.

/** The type of an entry of a revision. Folders are not listed: a path is a folder if there are entries below it. */
export type EntryKind = 'file' | 'link' | 'submodule';

/** The entries of a revision below one folder. */
export interface RevisionTree {
  /** The path from the root of the repository to the folder: `a/b`, or '' for the root itself. */
  readonly prefix: string;
  /** The types of entries, by path from the folder. */
  readonly entries: ReadonlyMap<string, EntryKind>;
  /** The target of a link, by the path of the link from the folder. */
  readonly targets: ReadonlyMap<string, string>;
}

/** The target of a link: the path of a file from the folder, or why the target is not such a file. */
export type Followed =
  | { readonly file: string }
  | { readonly is: 'folder' | 'out' | 'loop' | 'nothing' | 'submodule' };

/** File systems follow at most this many links in a row. */
const LONGEST_CHAIN = 40;

/** Returns a function that follows the link at a path from the folder. */
export function follower({ prefix, entries, targets }: RevisionTree): (path: string) => Followed {
  const home = partsOf(prefix);
  const folders = foldersOf(entries.keys());
  return path => {
    const way = [...home];
    let ahead = partsOf(path);
    for (let links = 0; links <= LONGEST_CHAIN; ) {
      const inside = insideOf(way, home);
      if (inside === null) return { is: 'out' };
      const entry = entries.get(inside);
      if (entry === 'link') {
        const target = targets.get(inside) ?? '';
        if (target.startsWith('/')) return { is: 'out' };
        links += 1;
        way.pop();
        ahead = [...partsOf(target), ...ahead];
        continue;
      }
      if (entry === 'submodule') return { is: 'submodule' };
      const isFolder = entry === undefined && (inside === '' || folders.has(inside));
      const [next, ...rest] = ahead;
      if (next === undefined) {
        if (entry === 'file') return { file: inside };
        return { is: isFolder ? 'folder' : 'nothing' };
      }
      if (!isFolder) return { is: 'nothing' };
      ahead = rest;
      if (next !== '..') way.push(next);
      else if (way.pop() === undefined) return { is: 'out' };
    }
    return { is: 'loop' };
  };
}

// The path relative to the folder; '' for the folder and its parents; null for any other path, whose entries are not known.
function insideOf(way: readonly string[], home: readonly string[]): string | null {
  if (home.some((part, i) => i < way.length && way[i] !== part)) return null;
  return way.slice(home.length).join('/');
}

const partsOf = (path: string): string[] =>
  path.split('/').filter(part => part !== '' && part !== '.');

function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    let end = path.lastIndexOf('/');
    while (end > 0 && !folders.has(path.slice(0, end))) {
      folders.add(path.slice(0, end));
      end = path.lastIndexOf('/', end - 1);
    }
  }
  return folders;
}
