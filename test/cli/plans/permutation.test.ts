// The same declarations in another order are the same plan, byte for byte.
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { isList, isObject, type Json } from '../../../src/model/value.ts';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { COMPANY, companyTexts } from '../../support/examples/company.ts';

const SECRETS = { HELPDESK_TOKEN: 'x', HELPDESK_QUEUE_KEY: 'x', CHAT_AUTHORIZATION: 'x' };

// A pointer written as a list of names is the one list whose order says something.
const reversed = (value: Json, key = ''): Json => {
  if (isList(value))
    return key === 'network_resource' ? value : value.map(item => reversed(item)).reverse();
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(
    ([name, item]) => [name, reversed(item, name)] as const,
  );
  return Object.fromEntries(entries.reverse());
};

/** Everything from every file in one file each for the odd and the even ones, all of it backwards. */
async function permute(to: string): Promise<void> {
  const texts = Object.values(companyTexts());
  await mkdir(to);
  await cp(join(COMPANY, 'meshform.yaml'), join(to, 'meshform.yaml'));
  for (const [i, text] of texts.entries()) {
    await writeFile(
      join(to, `${String(texts.length - i).padStart(2, '0')}.yaml`),
      stringify(reversed(parse(text))),
    );
  }
}

test('reversing files, keys and list members of the example company changes nothing', async () => {
  const account = await startAccount();
  const env = { ...environmentOf(account), ...SECRETS };
  await inFolder(async home => {
    const forwards = join(home, 'forwards');
    const backwards = join(home, 'backwards');
    await mkdir(backwards);
    await cp(COMPANY, join(forwards, 'network'), { recursive: true });
    await permute(join(backwards, 'network'));
    const run = async (cwd: string, ...argv: readonly string[]) => {
      const { code, stdout, stderr } = await meshform(argv, { env, cwd });
      expect(code, stderr).toBe(0);
      return stdout;
    };
    // Each is planned once, and shown in every format.
    for (const cwd of [forwards, backwards])
      await run(cwd, 'plan', 'network', '--out', 'plan.json');
    const planned = (cwd: string, format: string) =>
      run(cwd, 'show', 'plan.json', '--format', format);
    // The digest covers where declarations stand.
    const told = async (cwd: string, format: string) =>
      (await planned(cwd, format)).replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256');
    for (const format of ['text', 'markdown']) {
      expect(await told(backwards, format)).toBe(await told(forwards, format));
    }
    // Where declarations stand, and where their secrets are read, are the two things that differ, each at a key of its own.
    const document = async (cwd: string) => {
      const { meshform: own, ...rest } = JSON.parse(await planned(cwd, 'json'));
      expect(own.secret_sources).toBeDefined();
      const same = { ...own, origins: null, secret_sources: null, digest: null };
      const text = { ...rest, own: same };
      return JSON.stringify(text, (key, value) => (key === 'at' ? undefined : value));
    };
    expect(await document(backwards)).toBe(await document(forwards));
  });
  await account.close();
});
