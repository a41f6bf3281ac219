// Replays recorded lines against an emulator, and says which of them it answers otherwise.
import { isList, isObject, type Json } from '../../../src/model/value.ts';
import { asSent, type Exchange, type Hook, isHook, type Line, valueAt } from './line.ts';
import { shapeDifferences } from './shape.ts';

/** Where to replay to. */
export interface Stage {
  readonly url: string;
  /** Of the owner. */
  readonly token: string;
  readonly controlsToken: string;
}

/** A line that is answered otherwise, and in what. */
export interface Difference {
  readonly line: string;
  readonly what: readonly string[];
}

interface Answer {
  readonly status: number | string;
  readonly type: string;
  readonly body: Json;
}

/** Replays lines from first to last. */
export async function replay(lines: readonly Line[], stage: Stage): Promise<readonly Difference[]> {
  const names = new Map([['owner', stage.token]]);
  const found: Difference[] = [];
  for (const line of lines) {
    if (isHook(line)) {
      await happen(line, stage, names);
      continue;
    }
    const answer = await ask(stage, requestOf(line, names));
    for (const [name, path] of Object.entries(line.save ?? {})) {
      const value = valueAt(answer.body, path);
      if (typeof value === 'string') names.set(name, value);
    }
    await cleanUp(line, answer, stage, names);
    const what = differences(line, answer, names);
    if (what.length > 0) found.push({ line: lineOf(line), what });
  }
  return found;
}

/** How a line is called in a table. */
export function lineOf({ label, method, path }: Exchange): string {
  return `${label} (${method} ${path})`;
}

function differences(line: Exchange, here: Answer, names: ReadonlyMap<string, string>) {
  const { answer: there, compare } = line;
  if (there.status !== here.status) return [`status ${there.status} there, ${here.status} here`];
  if (there.type !== here.type) return [`type ${there.type} there, ${here.type} here`];
  if (compare === 'status' || typeof there.body === 'string') return [];
  return shapeDifferences(there.body, here.body, names);
}

async function happen(hook: Hook, stage: Stage, names: Map<string, string>): Promise<void> {
  const authorization = `Token ${stage.controlsToken}`;
  const control = (path: string, body?: Json) =>
    ask(stage, {
      method: 'POST',
      path,
      headers: { authorization },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  if (hook.hook === 'pat') {
    const user_id = names.get(hook.user) ?? '';
    const { body } = await control('/emulator/tokens', { user_id, name: 'direct', expires_in: 30 });
    names.set(hook.save, String(valueAt(body, 'token')));
    return;
  }
  for (const name of hook.names) {
    const setup_key = names.get(hook.key) ?? '';
    const { status, body } = await control('/emulator/peers', { name, setup_key });
    if (status !== 200) continue;
    const id = String(valueAt(body, 'id'));
    names.set(name.replaceAll('-', '_'), id);
    await control(`/emulator/peers/${id}/disconnect`);
  }
}

async function cleanUp(
  { cleanup }: Exchange,
  { status, body }: Answer,
  stage: Stage,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  if (cleanup === undefined || status !== 200) return;
  const id = valueAt(body, 'id') ?? valueAt(body, 'personal_access_token.id');
  if (id === undefined) return;
  const path = `${filled(cleanup.replace('/$last', ''), names)}/${id}`;
  await ask(stage, { method: 'DELETE', path, headers: { authorization: `Token ${stage.token}` } });
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function requestOf(line: Exchange, names: ReadonlyMap<string, string>): Request {
  const { method, path, raw, body, auth, tok = 'owner', headers = {} } = line;
  const authorization = auth === undefined ? `Token ${names.get(tok)}` : filled(auth, names);
  const data = raw ?? (body === undefined ? undefined : asSent(meant(body, names)));
  return {
    method,
    path: filled(path, names),
    headers: {
      ...(authorization === '' ? {} : { authorization }),
      ...(data === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(data === undefined ? {} : { body: filled(data, names) }),
  };
}

async function ask({ url }: Stage, { path, ...request }: Request): Promise<Answer> {
  const response = await fetch(`${url}${path}`, request).catch(() => undefined);
  if (response === undefined) return { status: 'ERR RemoteDisconnected', type: '', body: '' };
  const text = await response.text();
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  return {
    status: response.status,
    type,
    body: type === 'application/json' ? JSON.parse(text) : text,
  };
}

/** A body with saved values in place of their names. A text that is nothing but a name may stand for any value. */
function meant(value: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return filled(value, names);
  if (isList(value)) return value.map(member => meant(member, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [filled(name, names), meant(member, names)]),
  );
}

function filled(text: string, names: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$(\w+)/g, (all, name: string) => names.get(name) ?? all);
}
