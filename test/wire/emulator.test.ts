// The emulator against the witnessed exchanges: asked what the public server is known to be asked, it answers the same.
import { describe, expect, onTestFinished, test } from 'vitest';
import { present } from '../../src/model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import {
  type Case,
  differences,
  idIn,
  lineOf,
  objectIn,
  readWitnesses,
  type Step,
  translation,
} from './witness.ts';

type Ids = ReturnType<typeof translation>;

// No request makes what appears by itself.
const WRITTEN = readWitnesses().filter(({ cases }) => cases.length > 0);

describe.each(WRITTEN)('$kind', ({ cases }) => {
  test.each(cases)('$title', one => replay(one, body => body));

  // The public server ignores what it does not know, wherever in a body it stands.
  test.each(cases)('$title, whatever else is sent', one => replay(one, withUnknown));
});

async function replay(one: Case, sent: (body: Json) => Json): Promise<void> {
  const { signIn } = one;
  const account = await startAccount({ dialect: 'netbird', ...(signIn && { signIn }) });
  onTestFinished(() => account.close());
  const ids = translation();
  for (const step of one.steps) {
    const isWrite = step.do === 'create' || step.do === 'update' || step.do === 'settle';
    const asked = isWrite && step.body ? { ...step, body: sent(step.body) as JsonObject } : step;
    const answer = await take(asked, account, ids);
    if (step.as !== undefined) ids.learn(step.as, idIn(answer));
    for (const name of ['ip', 'ipv6'] as const)
      if (step[name] !== undefined) ids.learn(step[name], String(objectIn(answer)?.[name]));
    if (step.do === 'create') ids.learn(idIn(objectIn(step.answer)), idIn(objectIn(answer)));
    if (step.status !== undefined) expect(account.requests.at(-1)?.status).toBe(step.status);
    if (step.answer === undefined) continue;
    const said = known(ids.toWitnessed(answer), step.answer);
    const label = `${step.request} answers ${JSON.stringify(said)}`;
    expect(differences(step.answer, said, one), label).toEqual([]);
  }
}

// Maps have keys of their own: there a field more would be an entry more.
function withUnknown(body: Json): Json {
  if (isList(body)) return body.map(withUnknown);
  if (!isObject(body)) return body;
  const inside = Object.entries(body).map(([name, item]): [string, Json] => [
    name,
    MAPS.has(name) ? item : withUnknown(item),
  ]);
  return {
    ...Object.fromEntries(inside),
    newer_text: 'x',
    newer_list: [1, 2],
    newer_part: { a: 1 },
  };
}

const MAPS = new Set(['authorized_groups', 'headers', 'config']);

async function take(step: Step, account: TestAccount, ids: Ids): Promise<Json> {
  if (step.do === 'enrol')
    return account.enrol(step.name ?? '', [], ids.toOwn(step.more ?? {}) as JsonObject);
  if (step.do === 'connect')
    return account.control('POST', '/emulator/proxy-clusters', step.body ?? {});
  const { method, path } = lineOf(step);
  const asked = account.call(
    method as 'GET' | 'POST' | 'PUT' | 'DELETE',
    String(ids.toOwn(path)),
    step.body && ids.toOwn(step.body),
  );
  if (step.do === 'refused') return asked.catch(() => null);
  const answer = await asked;
  if (step.do !== 'find') return answer;
  const found = isList(answer) && answer.find(item => isObject(item) && item.name === step.name);
  return present(found || undefined, `${step.name} in ${path}`);
}

// A list holds what else is in the account: of that nothing is witnessed.
function known(answer: Json, witnessed: Json): Json {
  if (!isList(answer) || !isList(witnessed)) return answer;
  const ids = new Set(witnessed.map(item => idIn(item)));
  return answer.filter(item => ids.has(idIn(item)));
}
