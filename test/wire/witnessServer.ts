// A server that knows the exchanges of one witnessed case and nothing else.
import nock from 'nock';
import { present } from '../../src/model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { type Case, idIn, lineOf, objectIn, type Step, stepOf } from './witness.ts';

/** A write as the server got it, the order of lists aside. */
export interface Write {
  readonly request: string;
  readonly body: Json;
}

/** The life of the object, as far as the server has seen it. */
type Stage = 'absent' | 'created' | 'settled' | 'updated';

/** What a GET gets. */
interface Shown {
  readonly status: number;
  readonly body: Json;
}

/** Serves a case at `url` until nock is cleaned. What it is sent is written down. */
export function serveWitness(url: string, one: Case): { readonly writes: Write[] } {
  const writes: Write[] = [];
  const read = reads(one);
  let stage: Stage = stepOf(one, 'create') ? 'absent' : 'created';
  const answer = async (request: Request): Promise<[number, string]> => {
    const { method } = request;
    const { pathname, search } = new URL(request.url);
    const path = decodeURIComponent(pathname);
    if (method === 'GET') {
      const { status, body } = read(path, search, stage);
      return [status, JSON.stringify(body)];
    }
    const text = await request.text();
    const line = `${method} ${path}`;
    writes.push({ request: line, body: inOrder(text === '' ? null : JSON.parse(text)) });
    const [step, next] = present(written(one, line, stage), `an answer to ${line}`);
    stage = next;
    return [step.status ?? 0, step.answer === undefined ? '' : JSON.stringify(step.answer)];
  };
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
    nock(url)
      .persist()
      .intercept(/^\/api\//, method)
      .reply(answer);
  return { writes };
}

/** The write that a step of the case says the server gets. */
export const writeOf = ({ request = '', body }: Step): Write => ({
  request,
  body: inOrder(body ?? null),
});

function written(one: Case, line: string, stage: Stage): readonly [Step, Stage] | undefined {
  const next: readonly [Step['do'], Stage, boolean][] = [
    ['create', 'created', stage === 'absent'],
    ['settle', 'settled', stage === 'created'],
    ['update', 'updated', stage !== 'absent'],
    ['delete', 'absent', stage !== 'absent'],
  ];
  for (const [what, after, isDue] of next) {
    const step = stepOf(one, what);
    if (isDue && step?.request === line) return [step, after];
  }
  return undefined;
}

// What a GET shows: the object as the case last showed it, what else is in the account, and what the server refuses.
function reads(one: Case): (path: string, query: string, stage: Stage) => Shown {
  const ok = (body: Json): Shown => ({ status: 200, body });
  const { item, list: collection } = pathsOf(one);
  const list = stepOf(one, 'list');
  return (path, query, stage) => {
    const refusal = refusalOf(one, `GET ${path}${query}`, stage);
    if (refusal) return { status: refusal, body: { message: '', code: refusal } };
    const shown = shownAt(one, stage);
    if (path === item) return ok(shown);
    if (`${path}${query}` !== collection)
      return ok(one.lists?.[`${path}${query}`] ?? one.lists?.[path] ?? null);
    if (list && stage !== 'absent' && isListedUpdated(one) === (stage === 'updated'))
      return ok(list.answer ?? null);
    const all = [list?.answer, one.lists?.[collection]].flatMap(some => (isList(some) ? some : []));
    const others = all.filter(other => !item.endsWith(`/${idIn(other)}`));
    return ok([...others, ...[shown ?? []].flat()]);
  };
}

// Where the object is read, and where it is listed: a singleton has one path for both.
function pathsOf(one: Case): { readonly item: string; readonly list: string } {
  const create = stepOf(one, 'create');
  const listed = stepOf(one, 'list');
  if (!create) {
    // What cannot be read by itself is written at its path.
    const step = stepOf(one, 'read') ?? stepOf(one, 'update');
    const item = lineOf(present(step, 'a read or an update')).path;
    return { item, list: item.replace(/\/[^/]+$/, '') };
  }
  const { path } = lineOf(create);
  if (isSingleton(one)) return { item: path, list: '' };
  const item = `${path}/${idIn(objectIn(create.answer))}`;
  return { item, list: listed ? lineOf(listed).path : path };
}

const isSingleton = (one: Case): boolean =>
  one.steps.some(
    step =>
      step.do === 'read' && step.request === stepOf(one, 'create')?.request?.replace('POST', 'GET'),
  );

function shownAt(one: Case, stage: Stage): JsonObject | null {
  if (stage === 'absent') return null;
  const settled = stepOf(one, 'read') ?? stepOf(one, 'settle') ?? stepOf(one, 'create');
  const { answer } = (stage === 'updated' ? stepOf(one, 'update') : settled) ?? {};
  return objectIn(answer) ?? null;
}

const placeOf = (one: Case, step: Step | undefined): number =>
  step ? one.steps.indexOf(step) : one.steps.length;

const isListedUpdated = (one: Case): boolean =>
  placeOf(one, stepOf(one, 'list')) > placeOf(one, stepOf(one, 'update'));

// The status with which a read is refused: as long as the object is not there, or while it is.
function refusalOf(one: Case, line: string, stage: Stage): number | undefined {
  const creation = placeOf(one, stepOf(one, 'create'));
  const isDue = (step: Step) => placeOf(one, step) < creation === (stage === 'absent');
  const found = one.steps.find(
    step => step.do === 'refused' && step.request === line && isDue(step),
  );
  return found && (found.status ?? 404);
}

// The order of a list means nothing to the server, and ours is that of names.
function inOrder(value: Json): Json {
  if (isList(value)) {
    const texts = value.map(item => JSON.stringify(inOrder(item)));
    return texts.sort().map(text => JSON.parse(text));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inOrder(item)]));
}
