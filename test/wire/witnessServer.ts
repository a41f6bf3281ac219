// A server that knows the exchanges of one witnessed case and nothing else.
import nock from 'nock';
import { present } from '../../src/model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { type Case, lineOf, type Step, stepOf } from './witness.ts';

/** A write as the server got it, the order of lists aside. */
export interface Write {
  readonly request: string;
  readonly body: Json;
}

/** The life of the object, as far as the server has seen it. */
type Stage = 'absent' | 'created' | 'settled' | 'updated';

/** Serves a case at `url` until nock is cleaned. What it is sent is written down. */
export function serveWitness(url: string, one: Case): { readonly writes: Write[] } {
  const writes: Write[] = [];
  const read = reads(one);
  let stage: Stage = 'absent';
  const answer = async (request: Request): Promise<[number, string]> => {
    const { method } = request;
    const path = decodeURIComponent(new URL(request.url).pathname);
    if (method === 'GET') return [200, JSON.stringify(read(path, stage))];
    const text = await request.text();
    const line = `${method} ${path}`;
    writes.push({ request: line, body: inOrder(text === '' ? null : JSON.parse(text)) });
    const [step, next] = present(written(one, line, stage), `an answer to ${line}`);
    stage = next;
    return [step.status ?? 0, JSON.stringify(step.answer)];
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

// What a GET shows: the object as the case last showed it, and what else is in the account.
function reads(one: Case): (path: string, stage: Stage) => Json {
  const created = present(stepOf(one, 'create'), 'a create');
  const id = isObject(created.answer) ? created.answer.id : undefined;
  const collection = lineOf(created).path;
  const list = stepOf(one, 'list');
  const place = (step: Step | undefined) => (step ? one.steps.indexOf(step) : one.steps.length);
  const isListedUpdated = place(list) > place(stepOf(one, 'update'));
  const shown = (stage: Stage): JsonObject | null => {
    if (stage === 'absent') return null;
    const settled = stepOf(one, 'read') ?? stepOf(one, 'settle') ?? created;
    const { answer = null } = (stage === 'updated' ? stepOf(one, 'update') : settled) ?? {};
    return isObject(answer) ? answer : null;
  };
  return (path, stage) => {
    if (path === `${collection}/${id}`) return shown(stage);
    if (path !== collection) return one.lists?.[path] ?? null;
    if (list && stage !== 'absent' && isListedUpdated === (stage === 'updated'))
      return list.answer ?? null;
    const all = [list?.answer, one.lists?.[path]].flatMap(some => (isList(some) ? some : []));
    const others = all.filter(item => isObject(item) && item.id !== id);
    return [...others, ...[shown(stage) ?? []].flat()];
  };
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
