// What the type checker says of calls: good ones pass, and a bad one is refused where it is written.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const fileAt = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Three lines before each: a client that writes, and one that only reads. */
const PRELUDE = `import { type Api, apiClient, type ReadOperationId, type ReadTransport, type WriteTransport } from '${fileAt('src/index.ts')}';
declare const writing: WriteTransport, reading: ReadTransport;
const api = apiClient(writing), reader = apiClient(reading);
`;

const GOOD = [
  "export const group: Api.Group = await api.call('createGroup', { body: { name: 'engineers' } });",
  "export const names = (await reader.call('listGroups')).map(({ name }) => name.toUpperCase());",
  "await reader.call('listGroups', { query: { name: 'engineers' } });",
  "await api.call('getSetupKey', { params: { keyId: (await api.call('listSetupKeys'))[0]?.id ?? 1 } });",
  "await api.call('deleteNetworkRouter', { params: { networkId: 'n', routerId: 'r' } });",
  "await api.call('regenerateUserInvite', { params: { inviteId: 'i' } });",
  "await api.call('runDirectorySyncA', { params: { id: 3 } });",
  "export const id: ReadOperationId = 'listPeers'; await reader.call(id);",
];

/** A call, and the part of it that the checker points at. */
const BAD = [
  ["await api.call('createGroups', { body: { name: 'engineers' } });", "'createGroups'"],
  ["await api.call('createGroup');", 'call'],
  ["await api.call('createGroup', {});", '{}'],
  ["await api.call('createGroup', { body: {} });", 'body'],
  ["await api.call('createGroup', { body: { name: 'engineers', color: 'red' } });", 'color'],
  ["await api.call('createGroup', { body: { name: 7 } });", 'name: 7'],
  ["await api.call('getGroup', { params: { id: 'g' } });", 'id:'],
  ["await api.call('listGroups', { query: { nmae: 'engineers' } });", 'nmae'],
  ["await api.call('listNetworks', { body: {} });", 'body'],
  ["await api.call('deleteGroup', { params: { groupId: 'g' }, body: {} });", 'body'],
  ["await reader.call('deleteGroup', { params: { groupId: 'g' } });", "'deleteGroup'"],
  ["await reader.call('createGroup', { body: { name: 'engineers' } });", "'createGroup'"],
  ["export const text: string = (await api.call('listGroups'))[0]?.peers ?? '';", 'text'],
  ["(await api.call('getGroup', { params: { groupId: 'g' } })).name = 'other';", 'name ='],
] as const;

test('good calls pass, bad ones are refused where they are written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meshform-types-'));
  try {
    const config = {
      extends: fileAt('tsconfig.json'),
      compilerOptions: {
        typeRoots: [fileAt('node_modules/@types')],
        allowImportingTsExtensions: true,
        noUnusedLocals: false,
      },
      include: ['*.ts'],
    };
    const lines = [...GOOD, ...BAD.map(([line]) => line)];
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    await Promise.all(
      lines.map((line, i) => writeFile(join(folder, `${i}.ts`), `${PRELUDE}${line}\n`)),
    );
    const complaints = await complaintsAbout(folder);
    const pointedAt = (line: string, length: number): string[] =>
      complaints
        .filter(({ file }) => file === lines.indexOf(line))
        .map(({ column }) => line.slice(column - 1, column - 1 + length));
    for (const line of GOOD) expect(pointedAt(line, line.length), line).toEqual([]);
    for (const [line, part] of BAD) expect(pointedAt(line, part.length), line).toEqual([part]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 30_000);

/** What the checker says of the files `0.ts`, `1.ts` ... in `folder`. What it says of others is not of interest here. */
async function complaintsAbout(
  folder: string,
): Promise<readonly { readonly file: number; readonly column: number }[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileAt('node_modules/typescript/bin/tsc'), '--pretty', 'false', '-p', folder],
    { cwd: folder },
  ).catch((failure: { stdout: string }) => failure);
  const lines = [...stdout.matchAll(/^(\d+)\.ts\(4,(\d+)\): error/gm)];
  return lines.map(([, file, column]) => ({ file: Number(file), column: Number(column) }));
}
