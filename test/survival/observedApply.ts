// One saved plan, applied to equal accounts: everything that an apply of a document does, says, asks and reads.
import { channel } from 'node:diagnostics_channel';
import fs from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative } from 'node:path';
import { seededRandom, startEmulator } from '../../src/emulator/index.ts';
import type { Json, JsonObject } from '../../src/model/value.ts';
import { meshform } from '../support/cli.ts';
import type { Server } from '../support/servers/servers.ts';

/** What an apply did. Places in files and the port of the server are replaced: they may differ. */
export interface Behaviour {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly questions: readonly string[];
  /** Method, path and body of each request, in order. */
  readonly requests: readonly string[];
  /** The files in the folder that were opened, in order. */
  readonly files: readonly string[];
}

/** What all applies of a story have in common. */
export interface Story {
  readonly server: Server;
  /** The account before the apply; see the control `GET /emulator/snapshot`. */
  readonly snapshot: Json;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

const TOKEN = 'nbp_equalAccounts';

/** Starts an account for `use`. Equal snapshots give equal ids. */
export async function withEqualAccount<T>(
  { server, snapshot }: { readonly server: Server; readonly snapshot?: Json | undefined },
  use: (env: Readonly<Record<string, string>>, controls: Controls) => Promise<T>,
): Promise<T> {
  const emulator = await startEmulator({
    ...server,
    token: TOKEN,
    controls: true,
    shuffle: true,
    random: seededRandom(1),
    clock: () => new Date('2026-01-02T03:04:05Z'),
    ...(snapshot !== undefined && { snapshot }),
    onFault: error => {
      throw error;
    },
  });
  const controls: Controls = async (method, path, body) => {
    const response = await fetch(`${emulator.url}${path}`, {
      method,
      headers: {
        authorization: `Token ${path.startsWith('/emulator') ? emulator.controlsToken : TOKEN}`,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as Json;
  };
  try {
    return await use({ MESHFORM_URL: emulator.url, MESHFORM_TOKEN: TOKEN }, controls);
  } finally {
    await emulator.close();
  }
}

type Controls = (method: string, path: string, body?: JsonObject) => Promise<Json>;

/** Applies a document as a file, at a terminal whose user says yes. */
export function observedApply(story: Story, document: Json): Promise<Behaviour> {
  const { folder } = story;
  return withEqualAccount(story, async env => {
    await writeFile(join(folder, 'plan.json'), JSON.stringify(document));
    for (const left of ['run.jsonl', 'kept.jsonl']) await rm(join(folder, left), { force: true });
    const questions: string[] = [];
    const words = ['apply', 'plan.json', '--any-server', '--concurrency', '1'];
    const { requests, files, result } = await observed(folder, () =>
      meshform([...words, '--journal', 'run.jsonl', '--secrets-to', 'file:kept.jsonl'], {
        env: { ...env, ...story.env },
        cwd: folder,
        answer: 'yes',
        onQuestion: question => void questions.push(question),
      }),
    );
    const { code, stdout, stderr } = result;
    return {
      code,
      stdout: without(stdout),
      stderr: without(stderr),
      questions: questions.map(without),
      requests,
      files,
    };
  });
}

const without = (text: string): string =>
  text.replaceAll(/\S+:\d+:\d+/g, '<place>').replaceAll(/127\.0\.0\.1:\d+/g, '<server>');

/** The requests that leave this process, and the files in `folder` that it opens, while `run` runs. */
async function observed<T>(folder: string, run: () => Promise<T>) {
  const requests: string[] = [];
  const files: string[] = [];
  const sent = channel('undici:request:create');
  const onSent = (message: unknown): void => {
    const { method, path, body } = (message as { request: Sent }).request;
    requests.push(`${method} ${path} ${typeof body === 'string' ? body : ''}`);
  };
  const open = fs.openSync;
  fs.openSync = (path, ...rest) => {
    const inside = relative(folder, String(path));
    if (!inside.startsWith('..')) files.push(inside);
    return open(path, ...rest);
  };
  syncBuiltinESMExports();
  sent.subscribe(onSent);
  try {
    return { result: await run(), requests, files };
  } finally {
    sent.unsubscribe(onSent);
    fs.openSync = open;
    syncBuiltinESMExports();
  }
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}
