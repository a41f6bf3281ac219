// Adding a kind takes one schema: the kind of docs/adding-a-kind.md, which no API has, goes the whole way without a line of
// code that knows it.
import { access, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Agent } from 'undici';
import { expect, test } from 'vitest';
import { type TransportOptions, writeTransport } from '../../src/api/transport/transport.ts';
import { carryOut } from '../../src/apply/run/carryOut.ts';
import { readKinds } from '../../src/kinds/registry.ts';
import { present } from '../../src/model/errors.ts';
import { loadDesired } from '../../src/pipeline/loading/loadDesired.ts';
import { planDesired } from '../../src/pipeline/planning/planDesired.ts';
import { loadSchemas } from '../../src/pipeline/schemas.ts';
import { kindText } from '../../src/report/explain/explainText.ts';
import { planText } from '../../src/report/plan/planText.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import { inFolder } from '../support/cli.ts';
import { startStorageServer } from '../support/servers/storageServer.ts';

const KINDS = fileURLToPath(new URL('../../schemas/kinds/', import.meta.url));

const PAGE = await readFile(new URL('../../docs/adding-a-kind.md', import.meta.url), 'utf8');

/** The one block of the page in this language. */
function block(language: string): string {
  const blocks = [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))];
  expect(blocks).toHaveLength(1);
  return present(blocks[0]?.[1], language);
}

const SCHEMA = block('json');
const EXAMPLE = block('yaml');
const REPLACED = EXAMPLE.replace('corp.internal', 'office.internal');

test('the kind of the page is validated, planned, applied, replaced and explained', () =>
  inFolder(async folder => {
    await cp(KINDS, join(folder, 'kinds'), { recursive: true });
    await writeFile(join(folder, 'kinds/zone.schema.json'), SCHEMA);
    const kinds = readKinds(pathToFileURL(`${folder}/kinds/`));
    const tools = loadSchemas(kinds);
    const { server, url } = await startStorageServer();
    const dispatcher = new Agent();
    const options: TransportOptions = {
      url,
      token: 'any',
      dispatcher,
      now: () => 0,
      random: () => 0,
      sleep: () => Promise.resolve(),
    };
    const transport = writeTransport(options);
    const planned = async (yaml: string) => {
      await writeFile(join(folder, 'network.yaml'), yaml);
      const request = { path: join(folder, 'network.yaml'), strict: true, cwd: folder };
      const state = await loadDesired(tools, {
        ...request,
        env: () => undefined,
        host: { env: {} },
        shownAs: path => path,
      });
      expect(state.diagnostics).toEqual([]);
      const settings = {
        dialect: 'spec',
        prune: 'none',
        allow: [],
        thresholds: {},
        concurrency: 2,
      } as const;
      return planDesired(tools, state, transport, settings);
    };
    const inputs = { env: () => undefined, file: () => undefined };
    const apply = async (yaml: string) => {
      const plan = await planned(yaml);
      const { outcomes } = await carryOut(tools, plan, transport, {
        inputs,
        concurrency: 2,
        now: () => 0,
        planReadAt: 0,
      });
      expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
      return plan;
    };
    try {
      const first = await apply(EXAMPLE);
      expect(first.actions.map(({ id }) => id)).toEqual([
        'create group.staff',
        'create zone.internal',
      ]);
      expect((await planned(EXAMPLE)).changes).toEqual([]);
      const second = await apply(REPLACED);
      expect(planText(second, kinds, PLAIN)).toContain('# zone.internal must be replaced');
      expect(second.actions.map(({ id }) => id)).toEqual([
        'delete zone.internal',
        'create zone.internal',
      ]);
      expect((await planned(REPLACED)).changes).toEqual([]);
      const zone = [...kinds.values()].find(kind => kind.plural === 'zones');
      expect(zone && kindText(zone, kinds, PLAIN)).toContain('A zone of names');
    } finally {
      await dispatcher.close();
      server.close();
    }
  }));

test('the page names only existing files, apart from those that it adds', async () => {
  const named = new Set(PAGE.match(/(?:src|test|schemas|docs)\/[\w./-]+\.\w+/g));
  const added = [
    'schemas/kinds/zone.schema.json',
    'src/emulator/resources/zones.ts',
    'test/wire/exchanges/zone.json',
  ];
  const missing: string[] = [];
  for (const path of named)
    await access(new URL(`../../${path}`, import.meta.url)).catch(() => missing.push(path));
  expect(missing.sort()).toEqual(added);
});

test('a schema with faults stops the start, with a sentence for each', () =>
  inFolder(async folder => {
    await cp(KINDS, join(folder, 'kinds'), { recursive: true });
    const wrong = SCHEMA.replace('"identity"', '"identiti"').replace(
      '"ref": "group"',
      '"ref": "gruop"',
    );
    await writeFile(join(folder, 'kinds/zone.schema.json'), wrong);
    expect(() => readKinds(pathToFileURL(`${folder}/kinds/`))).toThrow(
      [
        'the kind schema zone.schema.json: /x-kind has no word `identiti`; did you mean `identity`?',
        'the kind schema zone.schema.json: /x-kind must have `identity`, because the kind is not a singleton',
        'the kind schema zone.schema.json: /properties/distribution_groups/x-trait/ref must be the name of a kind, ',
      ].join('\n'),
    );
  }));
