// An invented kind with a list whose items are identified by two fields goes the whole way: files, plan, apply, export.
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { writeTransport } from '../../src/api/transport/transport.ts';
import { carryOut } from '../../src/apply/run/carryOut.ts';
import { readKinds } from '../../src/kinds/registry.ts';
import { kindName } from '../../src/model/names.ts';
import type { Plan } from '../../src/model/plan.ts';
import { isObject } from '../../src/model/value.ts';
import { exportAccount } from '../../src/pipeline/exporting/exportAccount.ts';
import { loadDesired } from '../../src/pipeline/loading/loadDesired.ts';
import { planDesired } from '../../src/pipeline/planning/planDesired.ts';
import { loadSchemas } from '../../src/pipeline/schemas.ts';
import { planDocument } from '../../src/report/plan/planDocument.ts';
import { planText } from '../../src/report/plan/planText.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import { inFolder } from '../support/cli.ts';
import { startStorageServer } from '../support/servers/storageServer.ts';

const KINDS = fileURLToPath(new URL('../../schemas/kinds/', import.meta.url));

const text = { type: 'string', minLength: 1 };

/** A list of records, each known by its name and its type. */
const LEDGER = {
  title: 'Ledger',
  description: 'Records by name and type.',
  'x-kind': {
    name: 'ledger',
    plural: 'ledgers',
    at: 'ledgers[]',
    path: '/api/ledgers',
    identity: ['name'],
    verbs: ['create', 'update', 'delete'],
  },
  type: 'object',
  additionalProperties: false,
  required: ['name', 'records'],
  properties: {
    name: { ...text, description: 'What people call it.' },
    records: {
      type: 'array',
      description: 'The records.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'group', 'value'],
        properties: {
          name: { ...text, description: 'Its name.' },
          group: { ...text, description: 'Whose it is.', 'x-trait': { ref: 'group' } },
          value: { ...text, description: 'What it says.' },
        },
      },
      'x-trait': { set: { by: ['name', 'group'] } },
    },
  },
};

/** The files with these records: `name group value`. */
const file = (...records: string[]) => `groups: [{ name: a }, { name: a/b }, { name: b }]
ledgers:
  - name: main
    records:
${records
  .map(record => record.split(' '))
  .map(([name, group, value]) => `      - { name: ${name}, group: ${group}, value: v${value} }`)
  .join('\n')}
`;

async function setting(folder: string) {
  await cp(KINDS, join(folder, 'kinds'), { recursive: true });
  await writeFile(join(folder, 'kinds/ledger.schema.json'), JSON.stringify(LEDGER));
  const kinds = readKinds(pathToFileURL(`${folder}/kinds/`));
  const tools = loadSchemas(kinds);
  const { server, url } = await startStorageServer();
  const dispatcher = new Agent();
  onTestFinished(async () => {
    await dispatcher.close();
    server.close();
  });
  const transport = writeTransport({
    url,
    token: 'any',
    dispatcher,
    now: () => 0,
    random: () => 0,
    sleep: () => Promise.resolve(),
  });
  const read = async (yaml: string) => {
    const path = join(folder, 'network.yaml');
    await writeFile(path, yaml);
    const where = { path, cwd: folder, strict: true, inputs: [], env: () => undefined };
    return loadDesired(tools, { ...where, host: { env: {} }, shownAs: name => name });
  };
  const planned = async (yaml: string): Promise<Plan> => {
    const state = await read(yaml);
    expect(state.diagnostics).toEqual([]);
    return planDesired(tools, state, transport, {
      dialect: 'spec',
      prune: 'none',
      allow: [],
      thresholds: {},
      concurrency: 2,
    });
  };
  const apply = async (yaml: string): Promise<Plan> => {
    const plan = await planned(yaml);
    const inputs = { env: () => undefined, file: () => undefined };
    const { outcomes } = await carryOut(tools, plan, transport, {
      inputs,
      concurrency: 2,
      now: () => 0,
    });
    expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
    return plan;
  };
  return { kinds, tools, transport, read, planned, apply };
}

const pathsOf = (plan: Plan) => plan.changes.flatMap(({ fields }) => fields.map(one => one.path));

test('items with a key of two fields are planned one by one, and no two share a path', () =>
  inFolder(async folder => {
    const { kinds, apply, planned } = await setting(folder);
    await apply(file('x a 1', 'x b 1', 'x/a b 1', 'x a/b 1'));
    const all = file('x a 1', 'x b 1', 'x/a b 1', 'x a/b 1');
    expect((await planned(all)).changes).toEqual([]);
    const changed = await planned(file('x a 2', 'x b 1', 'x/a b 2', 'x a/b 2'));
    expect(pathsOf(changed)).toEqual([
      ['records', 'x/a', 'value'],
      ['records', 'x/a\\/b', 'value'],
      ['records', 'x\\/a/b', 'value'],
    ]);
    const lines = planText(changed, kinds, PLAIN);
    expect(lines).toContain('~ records["x/a"].value = "v1" -> "v2"');
    const document = planDocument(changed, kinds);
    const stored = isObject(document.meshform) ? JSON.stringify(document.meshform.changes) : '';
    expect(stored).toContain(JSON.stringify(['records', 'x/a\\/b', 'value']));
  }));

test('an item of which one key field changes is a different item', () =>
  inFolder(async folder => {
    const { kinds, apply, planned } = await setting(folder);
    await apply(file('x a 1', 'y a 1'));
    const plan = await planned(file('x a 1', 'y b 1', 'z b 1'));
    expect(pathsOf(plan)).toEqual([
      ['records', 'y/b'],
      ['records', 'z/b'],
      ['records', 'y/a'],
    ]);
    // The label does not say which part of the key is which field.
    expect(planText(plan, kinds, PLAIN)).toMatch(
      /\+ records\["y\/b"\]\n +\+ name {2}= "y"\n +\+ group = "b"/,
    );
    await apply(file('x a 1', 'y b 1', 'z b 1'));
    expect((await planned(file('z b 1', 'y b 1', 'x a 1'))).changes).toEqual([]);
  }));

test('two items of one key are an error that names it', () =>
  inFolder(async folder => {
    const { read } = await setting(folder);
    const { diagnostics } = await read(file('x a 1', 'x b 1', 'x a 2'));
    expect(diagnostics).toMatchObject([
      {
        code: 'OBJECT_DUPLICATE',
        message: '`name` and `group` are the same as in member 1 of this list',
        hint: 'members of this list are identified by name and group',
      },
    ]);
  }));

test('an export of lists with such members has an empty plan', () =>
  inFolder(async folder => {
    const { tools, transport, apply } = await setting(folder);
    await apply(file('x a 1', 'x b 1', 'x/a b 1', 'x a/b 1'));
    const { model } = await exportAccount(tools, transport, {
      dialect: 'spec',
      selection: { kinds: new Set(['ledger', 'group'].map(kindName)), only: [] },
      now: 0,
      concurrency: 2,
    });
    const ledger = model.objects.find(({ name }) => name === 'main');
    expect(ledger?.fields.records).toHaveLength(4);
    expect(model.leftOut).toEqual([]);
  }));
