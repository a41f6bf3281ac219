// A secret in every field that takes one, as the schemas of the kinds list them, is in no output of a command and in no file.
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn } from '../hostile/pulls/foundFiles.ts';
import { inFolder, meshform } from '../support/cli.ts';
import { accountForEverything, everything, SECRETS } from '../support/examples/everything.ts';
import { type Extent, patience, proof } from '../support/proof.ts';
import { secretFields, secretFieldsOf } from '../support/secretFields.ts';
import { reported } from '../support/secretSearch.ts';
import { fc } from '../support/seeded.ts';
import { startLeakingServer } from '../support/servers/leakingServer.ts';
import { secrets } from './generators/secretForms.ts';

const EXTENT: Extent = { slice: 1, full: 20 };
const EXAMPLE = new URL('../../examples/everything', import.meta.url).pathname;
const CASES = fc.record(
  Object.fromEntries(Object.keys(SECRETS).map(name => [name, secrets(false)])),
);

const NETBIRD = ['--dialect', 'netbird'];
const KEPT = ['--secrets-to', 'file:../kept.jsonl'];
const ALLOWED = ['SERVICE_PUBLIC', 'RENAMES_MACHINES'].flatMap(code => ['--allow', code]);
const PRINTS = ['--fingerprints', 'prints.json'];
const formats = (argv: readonly string[], ...names: string[]): string[][] =>
  names.map(name => [...argv, '--format', name]);
const READERS = [
  ...formats(['validate', 'network'], 'text', 'json'),
  ...formats(['plan', 'network', ...NETBIRD], 'text', 'json', 'markdown'),
  [
    'plan',
    'network',
    ...NETBIRD,
    '--out',
    'plan.json',
    '--html',
    'plan.html',
    '--force',
    ...PRINTS,
  ],
  ...formats(['show', 'plan.json'], 'text', 'json', 'comment'),
  ...formats(['drift', 'network', ...NETBIRD], 'text', 'json'),
  ['export', '--check', 'network', ...NETBIRD],
];

test('the example has a secret in each of these fields', () => {
  // Other proofs draw secrets in addresses.
  const fields = new Set([
    ...secretFieldsOf(everything().desired),
    'notification_channel: target.url',
  ]);
  expect([...fields].sort()).toEqual([...secretFields()].sort());
});

test('no output of any command reveals a secret of any field', {
  timeout: patience(EXTENT, 120_000),
}, async () => {
  const { count, seed, found } = proof('secrets in every field that takes one', EXTENT);
  let texts = 0;
  for (const values of fc.sample(CASES, { seed, numRuns: count })) texts += await searched(values);
  const { size } = secretFields();
  found(`${size} fields, no secret of theirs in ${texts} outputs and files`);
});

/** Tries the example with these values; answers how many outputs and files were searched. */
async function searched(values: Readonly<Record<string, string>>): Promise<number> {
  const account = await accountForEverything(everything().desired, 'netbird');
  const failing = await startLeakingServer(account, [], method =>
    method === 'GET' ? 'pass' : { status: 422, as: 'json' },
  );
  try {
    return await inFolder(async home => {
      const cwd = join(home, 'work');
      await mkdir(cwd);
      await cp(EXAMPLE, join(cwd, 'network'), { recursive: true });
      const traces = new Map<string, string>();
      const run = async (argv: readonly string[], url = account.url): Promise<number> => {
        const env = {
          ...values,
          MESHFORM_URL: url,
          MESHFORM_TOKEN: account.token,
          MESHFORM_FINGERPRINT_KEY: 'a-key-of-fingerprints',
          MESHFORM_JOURNALS: join(cwd, 'journals'),
        };
        const { code, stdout, stderr } = await meshform(argv, { cwd, env });
        const name = `${traces.size} ${argv.join(' ')} (${code})`;
        traces.set(`${name} stdout`, stdout).set(`${name} stderr`, stderr);
        return code;
      };
      const apply = ['apply', 'network', ...NETBIRD, '--yes', ...ALLOWED, ...KEPT, ...PRINTS];
      for (const argv of READERS) await run(argv);
      expect(await run(apply, failing.url)).toBe(4);
      expect(await run([...apply, '--format', 'jsonl'])).toBe(0);
      for (const argv of READERS) expect([0, 2], argv.join(' ')).toContain(await run(argv));
      for (const [file, bytes] of filesIn(cwd)) traces.set(file, bytes.toString('utf8'));
      const kept = await readFile(join(home, 'kept.jsonl'), 'utf8');
      const shown = kept
        .split('\n')
        .filter(line => line !== '')
        .map((line, i) => [`shown ${i}`, String(JSON.parse(line).value)] as const);
      expect(shown.length).toBeGreaterThan(2);
      const wanted = new Map([...Object.entries(values), ...shown, ['the token', account.token]]);
      expect(reported(traces, wanted)).toEqual([]);
      return traces.size;
    });
  } finally {
    await account.close();
  }
}
