// Saved plans with hostile words in the places that no name of an object reaches, under a digest that is right.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isList, isObject, type JsonObject } from '../../src/model/value.ts';
import { resealed } from '../support/resealed.ts';
import { type Fixture, fileName } from './fixture.ts';

/** Has each of them shown and applied. */
export async function forgedPlans(
  { run, write, home }: Pick<Fixture, 'run' | 'write' | 'home'>,
  text: string,
): Promise<void> {
  await write('two/groups.yaml', 'groups: [{ name: a }, { name: b }]');
  await run(['plan', 'two', '--out', 'honest.json']);
  const honest: JsonObject = JSON.parse(await readFile(join(home, 'honest.json'), 'utf8'));
  for (const [i, forge] of forgeries(text).entries()) {
    const file = `${fileName(text)} ${i}.json`;
    await write(file, JSON.stringify(resealed(forge(honest))));
    await run(['show', file]);
    await run(['apply', file, '--yes']);
  }
}

type Forge = (plan: JsonObject) => JsonObject;

const forgeries = (text: string): readonly Forge[] => [
  ...[{ kind: text }, { address: text }, { id: text }, { after: [text] }, { key: text }].map(
    inActions,
  ),
  inActions({ fields: { [text]: text } }),
  within({ server: `https://x/${text}` }),
  within({ server: text }),
  within({ account: text }),
  within({ folder: text }),
  within({ [text]: text }),
  plan => ({ ...plan, format_version: text }),
  plan => ({ ...plan, terraform_version: text }),
];

const within =
  (part: JsonObject): Forge =>
  plan => ({ ...plan, meshform: { ...(isObject(plan.meshform) && plan.meshform), ...part } });

const inActions =
  (part: JsonObject): Forge =>
  plan => {
    const { actions = [] } = isObject(plan.meshform) ? plan.meshform : {};
    const forged = (isList(actions) ? actions : []).filter(isObject);
    return within({ actions: forged.map(action => ({ ...action, ...part })) })(plan);
  };
