// `api list`: every operation, or those with certain words.
import { describe, expect, test } from 'vitest';
import { operationTable } from '../../../src/api/operations/operationsById.ts';
import { meshform } from '../../support/cli.ts';

const operations = [...operationTable().operations.values()];
const byTag = [...Map.groupBy(operations, ({ tag }) => tag).values()].flat().map(({ id }) => id);
const idsIn = (text: string) => [...text.matchAll(/^ {2}(\w+) /gm)].map(([, id]) => id);

describe('without a filter, the list', () => {
  test('has every operation once, within 100 columns', async () => {
    const { code, stdout, stderr } = await meshform(['api', 'list']);
    expect([code, stderr]).toEqual([0, '']);
    expect(idsIn(stdout)).toEqual(byTag);
    expect(stdout.split('\n').filter(line => line.length > 100)).toEqual([]);
  });

  test('the list as JSON, without a filter, has everything known of each operation', async () => {
    const { stdout } = await meshform(['api', 'list', '--format', 'json']);
    const { format_version, operations: listed } = JSON.parse(stdout);
    expect(format_version).toBe('1.0');
    expect(listed).toHaveLength(operations.length);
    expect(listed).toContainEqual({
      id: 'getEdrProviderA',
      method: 'GET',
      path: '/api/integrations/edr/edr-provider-a',
      netbird_path: '/api/integrations/edr/sentinelone',
      tag: 'Endpoint detection',
      summary: 'Read the integration of provider A',
      cloud_only: false,
      embedded_idp: false,
      public: false,
      outside_specification: false,
    });
  });
});

describe('the operations outside the specification', () => {
  const outside = operations.filter(({ isOutside }) => isOutside).map(({ id }) => id);

  test('are 36, and marked', async () => {
    expect([operations.length, outside.length]).toEqual([178, 36]);
    const { stdout } = await meshform(['api', 'list', 'outside', 'specification']);
    expect(idsIn(stdout)).toEqual(outside);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'updateAccount PUT /api/accounts/{accountId} Replace the settings of an account (outside the specification)',
    );
    const json = await meshform(['api', 'list', '--format', 'json']);
    const marked = (
      JSON.parse(json.stdout).operations as { outside_specification: boolean; id: string }[]
    )
      .filter(one => one.outside_specification)
      .map(({ id }) => id);
    expect(marked).toEqual(outside);
  });

  test('are omitted with --specification', async () => {
    const { stdout } = await meshform(['api', 'list', '--specification']);
    expect(idsIn(stdout)).toHaveLength(142);
    expect(idsIn(stdout).filter(id => outside.some(one => one === id))).toEqual([]);
    expect(stdout).not.toContain('outside');
  });
});

describe('with a filter, the list', () => {
  test('has the operations that match every word, by tag', async () => {
    const { stdout } = await meshform(['api', 'list', 'Setup', 'keys', 'POST']);
    expect(stdout).toBe(`Setup keys

  createSetupKey  POST   /api/setup-keys
                  Create a setup key

`);
  });

  test('accepts several words in one argument', async () => {
    const one = await meshform(['api', 'list', 'setup keys post']);
    expect(idsIn(one.stdout)).toEqual(['createSetupKey']);
  });

  test('matches the path of dialect netbird, and shows it', async () => {
    const { stdout } = await meshform(['api', 'list', 'sentinelone', 'get']);
    expect(idsIn(stdout)).toEqual(['getEdrProviderA']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'in netbird /api/integrations/edr/sentinelone',
    );
  });

  test('says if nothing matches', async () => {
    expect(await meshform(['api', 'list', 'no', 'such'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'no operation matches `no such`\n',
    });
  });
});

test('an unknown subcommand is an error with a hint to the valid subcommands', async () => {
  expect(await meshform(['api', 'lst'])).toMatchObject({
    code: 64,
    stderr: expect.stringMatching(/did you mean .?list/i),
  });
  expect((await meshform(['api'])).code).toBe(64);
});
