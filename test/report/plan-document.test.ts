// The JSON of a plan: as its schema describes it, and read back as the plan it was made from.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { schemaCompiler } from '../../src/kinds/schema/keywords.ts';
import type { Plan } from '../../src/model/plan.ts';
import { planDocument } from '../../src/report/plan/planDocument.ts';
import { planOfText } from '../../src/report/plan/planFile.ts';
import { planText } from '../../src/report/plan/planText.ts';
import { savedPlan } from '../../src/report/plan/savedPlan.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { plan, reconcile } from '../support/reconcile.ts';

const BEFORE = `
groups: [{ name: a }, { name: b }, { name: old }]
networks: [{ name: n, resources: [{ name: r, address: 10.0.0.1, groups: [a] }] }]
policies:
  - { name: p, rules: [{ name: x, sources: [a], destinations: [b], protocol: tcp, ports: ["1"] }] }
notification_channels:
  - { type: webhook, target: { url: "https://hooks.example.com/secret-path" }, event_types: [user.join] }
`;
const AFTER = `
groups: [{ name: a2, lifecycle: { was: a } }, { name: b }, { name: c, peers: [laptop] }]
networks: [{ name: n, resources: [{ name: r, address: 10.0.0.2, groups: [a2, c] }] }]
policies:
  - { name: p, rules: [{ name: y, sources: [a2], destinationResource: { network_resource: n/r }, protocol: udp, port_ranges: [{ start: 5, end: 9 }] }] }
notification_channels:
  - type: webhook
    target: { url: "https://hooks.example.com/secret-path", headers: { Authorization: "Bearer \${env:TOKEN}" } }
    event_types: [user.join, peer.login.expire]
`;
const isDocument = schemaCompiler().compile(shippedSchema('plan.schema.json'));

let account: TestAccount;
let made: Plan;
beforeAll(async () => {
  account = await startAccount();
  await account.enrol('laptop');
  await reconcile(account, desiredOf(BEFORE));
  made = await plan(account, desiredOf(AFTER), { prune: 'unmanaged' });
});
afterAll(() => account.close());

describe('the document', () => {
  test('is what its schema describes', () => {
    expect(isDocument(planDocument(made, KINDS)), JSON.stringify(isDocument.errors)).toBe(true);
    expect(isDocument(planDocument(made, KINDS, { drift: true }))).toBe(true);
  });

  test('is read back as the same plan', () => {
    const saved = savedPlan(made, KINDS, 0);
    const read = planOfText(JSON.stringify(saved.document), 'plan.json', isDocument);
    expect(read).toEqual(saved);
    expect(saved.plan).toEqual({ ...made, madeAt: '1970-01-01T00:00:00.000Z' });
  });

  test('has OpenTofu’s names for the fields that policies and comment bots read', () => {
    const { document } = savedPlan(made, KINDS, 0);
    const changes = document.resource_changes as {
      address: string;
      type: string;
      change: { actions: string[] };
    }[];
    expect(changes.find(({ address }) => address === 'group.old')?.change.actions).toEqual([
      'delete',
    ]);
    expect(changes.find(({ address }) => address === 'group.c')).toMatchObject({
      type: 'group',
      name: 'c',
    });
    expect(document).toMatchObject({
      format_version: '2.0',
      errored: false,
      complete: true,
      applyable: true,
    });
  });

  test('shows drift with the files’ value before and the account’s value after', () => {
    const { resource_drift, resource_changes, applyable } = planDocument(made, KINDS, {
      drift: true,
    });
    const drifted = (
      resource_drift as { address: string; change: { before: unknown; after: unknown } }[]
    ).find(({ address }) => address === 'network_resource.n/r');
    expect(resource_changes).toEqual([]);
    expect(applyable).toBe(false);
    expect(drifted?.change.before).toMatchObject({ address: '10.0.0.2/32' });
    expect(drifted?.change.after).toMatchObject({ address: '10.0.0.1/32' });
  });

  test('hides secrets and the web addresses of channels from readers, and says so', () => {
    const changes = planDocument(made, KINDS).resource_changes as {
      type: string;
      change: { after: unknown; after_sensitive: unknown };
    }[];
    const channel = changes.find(({ type }) => type === 'notification_channel')?.change;
    expect(channel?.after).toMatchObject({ target: { headers: { Authorization: null } } });
    expect(JSON.stringify(channel?.after)).not.toContain('secret-path');
    expect(channel?.after_sensitive).toEqual({
      target: { url: true, headers: { Authorization: true } },
    });
  });
});

describe('a plan file that cannot be read', () => {
  test.each([
    ['no JSON', 'Plan: 1 to add', 'it is not JSON'],
    ['null', 'null\n', 'it is the JSON value `null`, not a plan'],
    ['a list', '[]', 'it is a JSON list, not a plan'],
    ['a string', '"plan"', 'it is a JSON string, not a plan'],
    ['a number', '3', 'it is a JSON number, not a plan'],
    ['another document', '{"format_version":"1.0"}', 'it is JSON, but it is not a plan'],
    [
      'a journal',
      '{"type":"run","plan_digest":"sha256:0"}\n{"type":"end"}\n',
      '`plan.json` is the journal of an apply, not a plan',
    ],
    [
      'a later major version',
      '{"format_version":"3.0","meshform":{}}',
      'it is of format 3.0, and this meshform reads 2.0',
    ],
    [
      'a part that is missing',
      '{"format_version":"2.7","meshform":{}}',
      'its top lacks `resource_changes`',
    ],
  ])('%s', (_, text, why) => {
    const read = planOfText(text, 'plan.json', isDocument);
    expect('diagnostic' in read && read.diagnostic).toMatchObject({ code: 'PLAN_FILE_INVALID' });
    expect('diagnostic' in read && read.diagnostic.message).toContain(why);
  });
});

test('the output of `drift` is not accepted as a plan: it would write the account again', () => {
  const drift = planDocument(made, KINDS, { drift: true });
  const read = planOfText(JSON.stringify(drift), 'drift.json', isDocument);
  expect('diagnostic' in read && read.diagnostic.message).toContain('it reports drift');
});

test('no line of the text is wider than 100 columns', () => {
  const wide = planText(made, KINDS, PLAIN)
    .split('\n')
    .filter(line => line.length > 100);
  expect(wide).toEqual([]);
});
