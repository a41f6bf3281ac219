// The example that holds every kind: what it declares, the secrets it names, and an account it can be applied to.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Edition } from '../../../src/contract/index.ts';
import type { Kind } from '../../../src/kinds/kind.ts';
import type { Dialect } from '../../../src/kinds/traits.ts';
import { refsIn } from '../../../src/kinds/values/refs.ts';
import { present } from '../../../src/model/errors.ts';
import type { Desired } from '../../../src/model/object.ts';
import { startAccount, type TestAccount } from '../account.ts';
import { KINDS, loadFiles } from '../files.ts';
import { appear, appearing } from '../servers/appear.ts';
import { offeredKinds } from '../servers/servers.ts';

const FOLDER = new URL('../../../examples/everything', import.meta.url).pathname;

const texts = Object.fromEntries(
  readdirSync(FOLDER).map(file => [file, readFileSync(join(FOLDER, file), 'utf8')]),
);

/** What it declares, with all that is to be said of it. */
export const everything = () => loadFiles(texts);

/** A value for every secret that it names. */
export const SECRETS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(texts).flatMap(text =>
    [...text.matchAll(/\$\{env:(\w+)\}/g)].map(([, name = '']) => [name, `hush ${name}`]),
  ),
);

// Objects that appear by themselves: those that are declared, and those that are only referred to.
function named({ name, verbs }: Kind, desired: readonly Desired[]): ReadonlySet<string> {
  if (verbs.size > 0)
    return new Set(desired.filter(({ kind }) => kind === name).map(({ key }) => key));
  const refs = desired.flatMap(({ kind, fields }) =>
    refsIn(present(KINDS.get(kind), kind).shape, fields),
  );
  return new Set(refs.filter(({ kind }) => kind === name).map(({ key }) => key));
}

/** An account in which the machines that it speaks of have enrolled, and nothing else is there. */
export async function accountForEverything(
  desired: readonly Desired[],
  dialect: Dialect,
  edition: Edition = 'cloud',
): Promise<TestAccount> {
  const account = await startAccount({ dialect, edition });
  for (const kind of appearing(offeredKinds({ dialect, edition })))
    for (const key of named(kind, desired)) await appear(account.control, kind, key);
  return account;
}
