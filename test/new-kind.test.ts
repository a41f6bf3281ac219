// Adding a kind takes one schema: a made-up kind goes the whole way without a line of code that knows it.
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Agent } from 'undici';
import { expect, test } from 'vitest';
import { type TransportOptions, writeTransport } from '../src/api/transport/transport.ts';
import { carryOut } from '../src/apply/run/carryOut.ts';
import { readKinds } from '../src/kinds/registry.ts';
import { loadDesired, planDesired, toolbox } from '../src/pipeline.ts';
import { kindText } from '../src/report/explain/explainText.ts';
import { planText } from '../src/report/plan/planText.ts';
import { PLAIN } from '../src/report/text/style.ts';
import { inFolder } from './support/cli.ts';
import { keeper } from './support/keeper.ts';

const KINDS = fileURLToPath(new URL('../schemas/kinds/', import.meta.url));

const ZONE = {
  title: 'Zone',
  description: 'A zone of names that groups of peers can look up.',
  'x-kind': {
    name: 'zone',
    plural: 'zones',
    at: 'zones[]',
    path: '/api/dns/zones',
    identity: ['name'],
    verbs: ['create', 'update', 'delete'],
  },
  type: 'object',
  additionalProperties: false,
  required: ['name', 'domain', 'distribution_groups'],
  properties: {
    name: { type: 'string', minLength: 1, description: 'What people call it.' },
    domain: {
      type: 'string',
      format: 'domain',
      description: 'Its domain.',
      'x-trait': { immutable: true },
    },
    enabled: { type: 'boolean', default: true, description: 'Whether it answers.' },
    distribution_groups: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      description: 'Groups that may look it up.',
      'x-trait': { ref: 'group', set: true },
    },
  },
};

const FILE = (domain: string) => `groups: [{ name: staff }]
zones: [{ name: internal, domain: ${domain}, distribution_groups: [staff] }]
`;

test('a made-up kind is validated, planned, applied, replaced and explained', () =>
  inFolder(async folder => {
    await cp(KINDS, join(folder, 'kinds'), { recursive: true });
    await writeFile(join(folder, 'kinds/zone.schema.json'), JSON.stringify(ZONE));
    const kinds = readKinds(pathToFileURL(`${folder}/kinds/`));
    const tools = toolbox(kinds);
    const { server, url } = await keeper();
    const dispatcher = new Agent();
    const options: TransportOptions = {
      ...{ url, token: 'any', dispatcher, now: () => 0, random: () => 0 },
      sleep: () => Promise.resolve(),
    };
    const transport = writeTransport(options);
    const planned = async (yaml: string) => {
      await writeFile(join(folder, 'network.yaml'), yaml);
      const request = { path: join(folder, 'network.yaml'), strict: true, cwd: folder };
      const state = await loadDesired(tools, {
        ...request,
        env: () => undefined,
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
        ...{ inputs, concurrency: 2, now: () => 0, planReadAt: 0 },
      });
      expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
      return plan;
    };
    try {
      const first = await apply(FILE('corp.internal'));
      expect(first.actions.map(({ id }) => id)).toEqual([
        'create group.staff',
        'create zone.internal',
      ]);
      expect((await planned(FILE('corp.internal'))).changes).toEqual([]);
      const second = await apply(FILE('office.internal'));
      expect(planText(second, kinds, PLAIN)).toContain('# zone.internal must be replaced');
      expect(second.actions.map(({ id }) => id)).toEqual([
        'delete zone.internal',
        'create zone.internal',
      ]);
      expect((await planned(FILE('office.internal'))).changes).toEqual([]);
      const zone = [...kinds.values()].find(kind => kind.plural === 'zones');
      expect(zone && kindText(zone, PLAIN)).toContain('A zone of names');
    } finally {
      await dispatcher.close();
      server.close();
    }
  }));
