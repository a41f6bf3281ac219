// An account of a chosen size for the bench: its files, the answers of a server that holds it, and a snapshot of it. One office is
// recorded from the emulator; the others are the same bytes with other numbers.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../src/index.ts';
import { OBJECTS_PER_OFFICE, offices } from '../support/examples/offices.ts';

/** The answers of a server, by path. */
export type Answers = Readonly<Record<string, string>>;

/** One office as the emulator answers it and keeps it. */
export interface Recording {
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly rows: readonly string[];
}

const LISTS = ['groups', 'networks', 'policies', 'networks/resources', 'networks/routers'];
const TOKEN = 'bench-token';
/** The first two numbers of an address of the recorded office. */
const NET = '10.77.77.';

/** The token that the recorded account and its snapshots take. */
export const BENCH_TOKEN: string = TOKEN;

/** Records one office on an emulator. */
export async function recordOffice(): Promise<Recording> {
  const emulator = await startEmulator({ dialect: 'netbird', controls: true, token: TOKEN });
  const call = async (path: string, token: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${emulator.url}${path}`, {
      headers: { authorization: `Token ${token}` },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  try {
    await call('/emulator/load', emulator.controlsToken, officeLoad());
    const lists: Record<string, readonly string[]> = {};
    for (const name of LISTS) {
      const items = await call(`/api/${name}`, TOKEN);
      lists[`/api/${name}`] = Array.isArray(items) ? items.map(item => JSON.stringify(item)) : [];
    }
    const snapshot = await call('/emulator/snapshot', emulator.controlsToken);
    const { rows } = snapshot as { readonly rows: readonly { readonly table: string }[] };
    return {
      lists,
      rows: rows.filter(({ table }) => table !== 'events').map(row => JSON.stringify(row)),
    };
  } finally {
    await emulator.close();
  }
}

function officeLoad(): object {
  const policy = (protocol: string) => ({
    id: `${protocol}-{n}`,
    name: `${protocol}-{n}`,
    enabled: true,
    description: '',
    rules: [
      {
        name: protocol,
        protocol,
        action: 'accept',
        enabled: true,
        bidirectional: false,
        sources: ['staff-{n}'],
        destinations: ['services-{n}'],
      },
    ],
  });
  const resource = (i: number) => ({
    id: `host-{n}-${i}`,
    name: `host-{n}-${i}`,
    address: `${NET}${i}`,
    groups: ['services-{n}'],
    enabled: true,
    description: '',
  });
  return {
    '/api/groups': ['staff-{n}', 'services-{n}'].map(name => ({ id: name, name })),
    '/api/networks': [{ id: 'office-{n}', name: 'office-{n}' }],
    '/api/networks/office-{n}/routers': [
      {
        id: 'router-{n}',
        peer_groups: ['staff-{n}'],
        metric: 100,
        masquerade: true,
        enabled: true,
      },
    ],
    '/api/networks/office-{n}/resources': [1, 2, 3, 4].map(resource),
    '/api/policies': ['tcp', 'udp'].map(policy),
  };
}

const numbered = (texts: readonly string[], count: number): string[] =>
  texts.flatMap(text =>
    text.includes('{n}')
      ? Array.from({ length: count }, (_, n) =>
          text.replaceAll('{n}', String(n)).replaceAll(NET, `10.${n >> 8}.${n & 255}.`),
        )
      : [text],
  );

/** The lists of an account with so many objects. */
export function answersFor({ lists }: Recording, objects: number): Answers {
  const count = objects / OBJECTS_PER_OFFICE;
  return Object.fromEntries(
    Object.entries(lists).map(([path, items]) => [path, `[${numbered(items, count).join(',')}]`]),
  );
}

/** A snapshot of an account with so many objects, for `emulator --snapshot`. */
export function snapshotFor({ rows }: Recording, objects: number): string {
  return `{"form":1,"rows":[${numbered(rows, objects / OBJECTS_PER_OFFICE).join(',')}]}`;
}

const OBJECTS_PER_FILE = 1000;

/** Writes the files of so many objects, at most a thousand in each. In every tenth office one object differs from the recording. */
export function writeFiles(folder: string, objects: number): string {
  mkdirSync(folder, { recursive: true });
  const documents = offices(objects)
    .split('---\n')
    .map((text, n) => (n % 10 === 0 ? text.replace('metric: 100', 'metric: 200') : text));
  const each = OBJECTS_PER_FILE / OBJECTS_PER_OFFICE;
  for (let at = 0; at < documents.length; at += each)
    writeFileSync(
      join(folder, `offices-${at / each}.yaml`),
      documents.slice(at, at + each).join('---\n'),
    );
  return folder;
}
