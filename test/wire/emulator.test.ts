// The emulator against the witnessed exchanges: asked what the public server is known to be asked, it answers the same.
import { describe, expect, onTestFinished, test } from 'vitest';
import { present } from '../../src/model/errors.ts';
import { isList, isObject, type Json } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { differences, lineOf, readWitnesses, type Step, translation } from './witness.ts';

type Ids = ReturnType<typeof translation>;

const idOf = (body: Json | undefined): string => {
  const id = isObject(body) ? body.id : undefined;
  return present(typeof id === 'string' ? id : undefined, `the id in ${JSON.stringify(body)}`);
};

describe.each(readWitnesses())('$kind', ({ cases }) => {
  test.each(cases)('$title', async one => {
    const account = await startAccount({ dialect: 'netbird' });
    onTestFinished(() => account.close());
    const ids = translation();
    for (const step of one.steps) {
      const answer = await take(step, account, ids);
      if (step.as !== undefined) ids.learn(step.as, idOf(answer));
      if (step.do === 'create') ids.learn(idOf(step.answer), idOf(answer));
      if (step.answer === undefined) continue;
      const said = known(ids.toWitnessed(answer), step.answer);
      const label = `${step.request} answers ${JSON.stringify(said)}`;
      expect(differences(step.answer, said, one), label).toEqual([]);
      expect(account.requests.at(-1)?.status).toBe(step.status);
    }
  });
});

async function take(step: Step, account: TestAccount, ids: Ids): Promise<Json> {
  if (step.do === 'enrol') {
    const { body } = ids.toOwn({ body: step.more ?? {} });
    return account.enrol(step.name ?? '', [], body);
  }
  const { method, path } = ids.toOwn(lineOf(step));
  const answer = await account.call(
    method as 'GET' | 'POST' | 'PUT' | 'DELETE',
    path,
    step.body && ids.toOwn(step.body),
  );
  if (step.do !== 'find') return answer;
  const found = isList(answer) && answer.find(item => isObject(item) && item.name === step.name);
  return present(found || undefined, `${step.name} in ${path}`);
}

// A list holds what else is in the account: of that nothing is witnessed.
function known(answer: Json, witnessed: Json): Json {
  if (!isList(answer) || !isList(witnessed)) return answer;
  const ids = new Set(witnessed.map(item => idOf(item)));
  return answer.filter(item => ids.has(idOf(item)));
}
