// Whatever flags they are given, only `apply` and `api call` write: over generated command lines, a server sees nothing but GET.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Io } from '../../../src/cli/io.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { present } from '../../../src/model/errors.ts';
import { type RandomSource, randomSources } from '../../properties/generators/randomSource.ts';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { type Extent, patience, proof } from '../../support/proof.ts';

const EXTENT: Extent = { slice: 25, full: 2_000 };

/** Commands that write to an account, run a server of their own, or never end. */
const APART = ['apply', 'call', 'emulator', 'demo', 'help', 'completion'];

/** What a flag may be given, by its long name: values that make sense, and one that does not. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  '--var': ['NAME', 'NAME=value'],
  '--url': [''],
  '--token-file': ['token.txt', 'missing.txt'],
  '--ca-file': ['missing.pem'],
  '--timeout': ['5', 'soon'],
  '--concurrency': ['1', '8'],
  '--rate': ['100000'],
  '--deadline': ['60'],
  '--base': ['HEAD', 'auto', 'nowhere', 'network'],
  '--allow': ['DELETES_OBJECT', 'GAP', 'NOT_A_CODE'],
  '--rotate': ['group/a', 'identity_provider/staff'],
  '--fingerprints': ['prints.json'],
  '--resolve': ['desired', 'live', 'desired=group/a'],
  '--kinds': ['group', 'groups,policies', 'nothing'],
  '--only': ['group/a', 'group/*'],
  '--except': ['group/a'],
  '--out': ['out.json', 'out', '-'],
  '--secrets-to': ['file:kept.jsonl'],
  '--search': ['a'],
  '--limit': ['3'],
};

/** What stands behind a command, besides its flags. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  init: ['fresh'],
  show: ['plan.json', 'missing.json'],
  check: ['plan.json', 'missing.json'],
  explain: ['group', 'policy.rules', 'nothing'],
  describe: ['createGroup', 'nothing'],
  list: ['group'],
};

function leaves(command: Command, path: readonly string[] = []): [string[], Command][] {
  const inner = command.commands.filter(one => !APART.includes(one.name()));
  const here: string[] = [...path, ...(command.parent ? [command.name()] : [])];
  // `plan` is a command of its own, and has `plan check` below it.
  const own: [string[], Command][] =
    inner.length === 0 || command.registeredArguments.length > 0 ? [[here, command]] : [];
  return [...own, ...inner.flatMap(one => leaves(one, here))];
}

const READERS = leaves(
  buildProgram({ io: {} as Io, version: '', finish: () => {}, run: async () => 0 }),
);

function generatedLine(random: RandomSource): string[] {
  const [path, command] = random.pick(READERS as [(typeof READERS)[0], ...typeof READERS]);
  const last = path.at(-1) ?? '';
  const rest = ARGUMENTS[last] ?? (command.registeredArguments.length > 0 ? ['network', '.'] : []);
  const flags = random
    .some(command.options.filter(isTried), random.below(6))
    .flatMap(option => generatedFlag(option, random));
  return [...path, ...random.some(rest, 1), ...flags];
}

// A follower goes on until it is interrupted.
const isTried = ({ long }: Option): boolean => long !== '--follow' && long !== '--help';

function generatedFlag(option: Option, random: RandomSource): string[] {
  const long = present(option.long, 'a long name');
  if (!option.required && !option.optional) return [long];
  const values = option.argChoices ?? VALUES[long] ?? ['2026-01-01T00:00:00Z', '1', 'x'];
  return [long, random.some(values, 1)[0] ?? ''];
}

test('read-only commands send nothing but GET', { timeout: patience(EXTENT, 1_500) }, async () => {
  const { count, seed, found } = proof('commands that only read', EXTENT);
  const account = await startAccount();
  onTestFinished(() => account.close());
  await account.call('POST', '/api/groups', { name: 'made by hand' });
  const codes = new Map<number, number>();
  await inFolder(async cwd => {
    await mkdir(join(cwd, 'network'));
    await writeFile(join(cwd, 'network/network.yaml'), 'groups: [{ name: a }, { name: b }]\n');
    await writeFile(join(cwd, 'token.txt'), account.token);
    git(cwd, 'init', '--quiet');
    git(cwd, 'add', 'network');
    git(cwd, 'commit', '--quiet', '--message=first');
    const env = {
      ...environmentOf(account),
      MESHFORM_FINGERPRINT_KEY: 'a key that is long enough',
    };
    const before = account.requests.length;
    for (const random of fc.sample(randomSources, { numRuns: count, seed })) {
      const line = generatedLine(random);
      const { code, stderr } = await meshform(line, { env, cwd });
      codes.set(code, (codes.get(code) ?? 0) + 1);
      expect(stderr, line.join(' ')).not.toMatch(/^\s+at /m);
    }
    const methods = new Set(account.requests.slice(before).map(({ method }) => method));
    expect([...methods]).toEqual(['GET']);
  });
  const ended = [...codes]
    .sort(([a], [b]) => a - b)
    .map(([code, times]) => `${times} with ${code}`);
  found(`nothing but GET; ended ${ended.join(', ')}`);
});
