// The digest of a plan in its formats: only a plan that is saved has a digest to approve.
import { expect, test } from 'vitest';
import type { Desired } from '../../src/model/object.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { planDigests } from '../../src/report/plan/planDigest.ts';
import { planText } from '../../src/report/plan/planText.ts';
import { savedPlan } from '../../src/report/plan/savedPlan.ts';
import { PLAN_FORMATS } from '../../src/report/planFormats.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import { startAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { plan } from '../support/reconcile.ts';

const OPS = desiredOf('groups: [{ name: ops }]');

const saved = async (desired: readonly Desired[]) => {
  const account = await startAccount();
  try {
    return savedPlan(await plan(account, desired), KINDS, 0);
  } finally {
    await account.close();
  }
};

test('the line before the summary is the digest of the saved document', async () => {
  const { plan: made, digest } = await saved(OPS);
  expect(digest).toMatch(/^sha256:[\da-f]{64}$/);
  expect(planText(made, KINDS, PLAIN, { digest }).trimEnd().split('\n').slice(-2)).toEqual([
    `Digest: ${digest}`,
    'Plan: 1 to add, 0 to change, 0 to destroy.',
  ]);
});

test('a saved plan without changes has a digest too, so that a pipeline can pass it on', async () => {
  const { plan: made, digest } = await saved([]);
  expect(made.actions).toEqual([]);
  expect(planText(made, KINDS, PLAIN, { digest })).toContain(`Digest: ${digest}`);
});

test.each(Object.entries(PLAN_FORMATS))(
  '%s shows the digest of a saved plan, and no digest of any other',
  async (name, load) => {
    const { render } = await load();
    const { plan: made, document, digest, contentDigest } = await saved(OPS);
    const { madeAt: _, ...unsaved } = made;
    const report = { kinds: KINDS, style: PLAIN };
    expect(render({ ...report, plan: made, digest, document })).toContain(digest);
    const shown = render({ ...report, plan: unsaved });
    const digests = shown.match(/sha256:[\da-f]{64}/g) ?? [];
    expect(digests).toEqual(name === 'json' ? [contentDigest] : []);
  },
);

test('a digest does not depend on the positions of the objects that decide a failed access test', () => {
  const documentAt = (line: number, policy = 'p') => {
    const at = { file: 'a.yaml', line, column: 1 };
    const flows = [{ ports: ['tcp/22'], via: [{ policy, at }] }];
    const misses = [{ code: 'PORT', by: { kind: 'policy', key: policy }, at }];
    const failures = [{ line: 'deny', at, flows, misses }];
    return { meshform: { access_tests: { tests: [{ name: 't', at, failures }] } } };
  };
  const digests = planDigests(documentAt(1));
  expect(planDigests(documentAt(2))).toEqual(digests);
  const other = planDigests(documentAt(1, 'q'));
  expect([other.digest === digests.digest, other.contentDigest === digests.contentDigest]).toEqual([
    false,
    false,
  ]);
});

// A rollout goes on with a plan that is computed again only if its content digest is the same.
test('the content digest is that of a plan on a new account if somebody creates an object that the plan does not touch', () => {
  const documentOf = (access: JsonObject) => planDigests({ meshform: { access } });
  const first = documentOf({ status: 'new-account', machines: 0, without_effect: 0 });
  const reason = 'no policy, network or route uses the group';
  const later = documentOf({
    status: 'unchanged',
    machines: 0,
    without_effect: 1,
    no_effect: [{ changes: ['group.ops'], reason }],
    order: { status: 'in_bounds', left_out: 0, given_up: [] },
  });
  expect(later.contentDigest).toBe(first.contentDigest);
  expect(later.digest).not.toBe(first.digest);
  const gained = documentOf({ status: 'changed', machines: 1, without_effect: 0 });
  expect(gained.contentDigest).not.toBe(first.contentDigest);
});
