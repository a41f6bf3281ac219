// Finds the discovered accounts that have a folder. Without a server, the accounts that a token reaches are unknown, but a folder
// shows that its account exists.
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DiscoveredEntry, Fleet } from '../../fleet/fleetFile.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Tenant } from '../../model/fleet.ts';

/**
 * The accounts of each entry that discovers accounts, as far as folders show them. The names of the
 * accounts are used in place of their ids.
 */
export function accountFolders(
  { file, fleet }: { readonly file: string; readonly fleet: Fleet },
  kinds: KindTable,
): ReadonlyMap<DiscoveredEntry, readonly Tenant[]> {
  const discovered = fleet.entries.flatMap(entry => (entry.from === undefined ? [] : [entry]));
  return new Map(
    discovered.map(entry => {
      const named = [...kinds.values()].find(({ at }) => at === `${entry.from}[]`)?.accountNamedBy;
      const names = new Set(entry.layers.flatMap(layer => namesIn(dirname(file), layer)));
      const tenants = [...names].map(name => ({
        id: name,
        name,
        fields: named === undefined ? {} : { [named]: name },
      }));
      return [entry, tenants] as const;
    }),
  );
}

const NAME = '${account.name}';

// The names, if `${account.name}` is a whole component of the path; otherwise none.
function namesIn(home: string, layer: string): readonly string[] {
  const [before = '', after, ...more] = layer.split(NAME);
  if (after === undefined || more.length > 0 || !/(^|\/)$/.test(before)) return [];
  if (after !== '' && !after.startsWith('/')) return [];
  const folder = resolve(home, before);
  return foldersIn(folder).filter(name => after === '' || isFolder(join(folder, name, after)));
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => !entry.name.startsWith('.') && isFolderOrLink(folder, entry))
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

// A link counts too. It is a fault of its account, which a run with a server would also report.
const isFolderOrLink = (folder: string, entry: Dirent): boolean =>
  entry.isDirectory() || (entry.isSymbolicLink() && !isFile(join(folder, entry.name)));

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
