// The emulator is a witness only while it shares nothing with the client; the contract stands below both.
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));
const IMPORT = /^(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]/gm;

/** The rooms, and other modules, that the files of a room import. */
function importsOf(room: string): ReadonlySet<string> {
  const files = readdirSync(resolve(SOURCE, room), { recursive: true, encoding: 'utf8' }).filter(
    file => file.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(3);
  return new Set(
    files.flatMap(file => {
      const path = resolve(SOURCE, room, file);
      return [...readFileSync(path, 'utf8').matchAll(IMPORT)].map(([, name = '']) =>
        name.startsWith('.') ? roomOf(resolve(dirname(path), name)) : name,
      );
    }),
  );
}

function roomOf(path: string): string {
  const [room = ''] = relative(SOURCE, path).split('/');
  return `src/${room}`;
}

it.each([
  ['emulator', ['src/emulator', 'src/contract', 'src/model']],
  // `shipped.ts` knows where files lie, not what is in them.
  ['contract', ['src/contract', 'src/shipped.ts']],
])('src/%s imports, of our modules, only those in %j', (room, allowed) => {
  const imports = [...importsOf(room)];
  expect(imports).toContain(`src/${room}`);
  const foreign = imports.filter(name => !allowed.includes(name));
  const ours = foreign.filter(name => name.startsWith('src/') || name.startsWith('.'));
  expect(ours).toEqual([]);
  const bare = foreign.filter(name => !name.startsWith('node:'));
  const builtins = bare.filter(name => builtinModules.includes(name.replace(/\/.*/, '')));
  expect(builtins, 'Node modules are imported as node:').toEqual([]);
});
