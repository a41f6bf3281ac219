// Laws of an apply against the emulator: it makes the account what the files say, and touches nothing else.
import { describe, expect, test, vi } from 'vitest';
import { selected } from '../../src/engine/scope/selection.ts';
import type { Selection } from '../../src/engine/types/selection.ts';
import { PRUNE_MODES } from '../../src/engine/types/settings.ts';
import { isEmpty } from '../../src/kinds/values/canonical.ts';
import type { FieldChange } from '../../src/model/change.ts';
import { hasErrors, type Span } from '../../src/model/diagnostic.ts';
import { type KindName, kindName } from '../../src/model/names.ts';
import type { Desired } from '../../src/model/object.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { Fields } from '../../src/model/value.ts';
import { KINDS } from '../support/files.ts';
import { type Pictured, pictureOf } from '../support/picture.ts';
import { apply, plan, type ReconcileOptions } from '../support/reconcile.ts';
import { SERVERS } from '../support/servers/servers.ts';
import { leftToDo, methodsSince, OUTSIDE, onAccount, settle, withMoves } from './appliedAccount.ts';
import { accounts, anyJourney, journeys } from './generators/accounts.ts';
import { withLifecycles } from './generators/lifecycles.ts';
import type { RandomSource } from './generators/randomSource.ts';
import { law, PATIENCE } from './runs.ts';

vi.setConfig({ testTimeout: PATIENCE });

describe.each(SERVERS)('on a server of dialect $dialect, edition $edition', server => {
  test('an apply makes the account what the files say, and a second plan is empty', () =>
    law(accounts(server), 7, ({ desired }) =>
      onAccount(server, async account => {
        await settle(account, desired);
      }),
    ));

  test('from any account to any other; enrolled members stay', () =>
    law(journeys(server), 7, ({ from, to, random }) =>
      onAccount(server, async account => {
        await settle(account, from);
        const shared = (await pictureOf(account)).filter(
          ({ live }) => 'peers' in live.fields && !live.reserved,
        );
        const joined = random.some(shared, 2).map(({ live }) => live.id);
        const stranger = await account.enrol('stranger', joined);
        const before = await pictureOf(account);
        const options = { prune: 'unmanaged' } as const;
        const reported = await withMoves(account, to, options);
        const { plan: made } = await settle(account, reported, options);
        const after = await pictureOf(account);
        const stayed = after.filter(({ live }) => joined.includes(live.id));
        for (const { name, idFields } of stayed)
          expect(idFields.peers, name).toContain(`id:${stranger.id}`);
        expectKept(before, after, made);
      }),
    ));
});

test('objects that the base declared are deleted, and nothing else', () =>
  law(anyJourney, 7, ({ server, from, to, random }) =>
    onAccount(server, async account => {
      await settle(account, from);
      const options = {
        prune: 'removed',
        base: random.some(from, random.below(from.length + 1)),
      } as const;
      const before = await pictureOf(account);
      const tried = await plan(account, to, { ...OUTSIDE, ...options });
      // A route that nobody declares may be in the way of one that is: then the plan says so, and nothing happens.
      if (tried.diagnostics.some(({ code }) => code === 'OBJECT_IN_THE_WAY')) return;
      const { plan: made } = await settle(account, to, options);
      expectKept(before, await pictureOf(account), made);
    }),
  ));

test('read-only commands send nothing but GET', () =>
  law(anyJourney, 7, ({ server, from, to, random }) =>
    onAccount(server, async account => {
      await settle(account, from);
      const asked = account.requests.length;
      for (const prune of PRUNE_MODES) {
        const base = random.chance(0.5) ? from : [];
        await plan(account, to, { ...OUTSIDE, prune, base });
      }
      expect(methodsSince(account, asked)).toEqual(new Set(['GET']));
    }),
  ));

test('with any lifecycle entries, there is a reason for no plan, or an apply after which nothing is left to do', () =>
  law(anyJourney, 20, ({ server, from, to, random }) =>
    onAccount(server, async account => {
      await settle(account, from);
      const live = (await pictureOf(account)).map(one => one.live);
      const desired = withLifecycles(to, live, random);
      const prune = random.pick(PRUNE_MODES);
      const settings = { ...OUTSIDE, prune, base: random.chance(0.5) ? from : [] };
      const made = await plan(account, desired, settings);
      if (hasErrors(made.diagnostics)) return expect(made.actions).toEqual([]);
      const { outcomes } = await apply(account, made, settings);
      expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
      const again = await plan(account, desired, settings);
      const isUnbound = made.changes.some(
        ({ type, at }) => type === 'replace' && isBound(desired, at),
      );
      if (!isUnbound) expect(leftToDo(again)).toEqual([]);
    }),
  ));

test('a limited run changes only its selection, and leaves nothing of it to do', () =>
  law(anyJourney, 7, ({ server, from, to, random }) =>
    onAccount(server, async account => {
      await settle(account, from);
      const select = drawSelection(to, random);
      const settings: ReconcileOptions = { ...OUTSIDE, select, prune: random.pick(PRUNE_MODES) };
      const base = random.chance(0.5) ? from : [];
      const before = await pictureOf(account);
      const made = await plan(account, to, { ...settings, base });
      if (hasErrors(made.diagnostics)) return expect(made.actions).toEqual([]);
      const { outcomes } = await apply(account, made, settings);
      expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
      const isSelected = selected(select, KINDS);
      const changed = differing(before, await pictureOf(account), made);
      expect(changed.filter(object => !isSelected(object))).toEqual([]);
      expect(leftToDo(await plan(account, to, { ...settings, base }))).toEqual([]);
    }),
  ));

/** Whether the object declared there is bound to an id, which a replacement leaves behind. */
function isBound(desired: readonly Desired[], at: Span | undefined): boolean {
  return desired.some(object => object.at === at && object.lifecycle.id !== undefined);
}

/** What a plan does not speak of is as it was. */
function expectKept(before: readonly Pictured[], after: readonly Pictured[], made: Plan): void {
  const spoken = new Set(made.changes.map(({ kind, id }) => `${kind} ${id}`));
  const found = new Map(after.map(one => [one.uid, one]));
  const moving = movingAddresses(before, made);
  for (const one of before.filter(({ uid }) => !spoken.has(uid))) {
    const now = found.get(one.uid);
    expect(now && keptFields(now, moving), one.name).toEqual(keptFields(one, moving));
  }
}

/**
 * The machines whose IPv6 address may change, because it follows groups and a setting: those that lose it according to the hazard of
 * the plan, and those without one if the plan changes groups or that setting.
 */
function movingAddresses(
  before: readonly Pictured[],
  { actions, changes }: Plan,
): ReadonlySet<string> {
  const hazards = actions.flatMap(action => action.hazards);
  const losing = new Set(
    hazards.flatMap(({ code, concerned = [] }) => (code === LOSES_IPV6 ? concerned : [])),
  );
  const isGiven = changes.some(({ kind, fields }) => kind === GROUP || changesIpv6(kind, fields));
  const moving = before.filter(({ live: { kind, id }, idFields }) =>
    isEmpty(idFields.ipv6) ? isGiven : losing.has(`${kind}/${id}`),
  );
  return new Set(moving.map(({ uid }) => uid));
}

const keptFields = ({ uid, idFields }: Pictured, moving: ReadonlySet<string>): Fields =>
  Object.fromEntries(
    Object.entries(idFields).filter(([name]) => name !== 'ipv6' || !moving.has(uid)),
  );

const GROUP = kindName('group');
const LOSES_IPV6 = 'LOSES_IPV6';

/** Whether a change is the hazard of losing IPv6 addresses. */
function changesIpv6(kind: KindName, fields: readonly FieldChange[]): boolean {
  const dangers = KINDS.get(kind)?.dangers.filter(({ code }) => code === LOSES_IPV6) ?? [];
  return dangers.some(({ field }) => fields.some(({ path }) => path[0] === field));
}

/** Some kinds, or some objects by name, or all but some. */
function drawSelection(desired: readonly Desired[], random: RandomSource): Selection {
  const some = random.some(desired, 1 + random.below(4));
  const names = some.map(({ kind, key }) => `${kind}/${key}`);
  if (names.length === 0) return {};
  return random.pick<Selection>([
    { kinds: [...new Set(some.map(({ kind }) => kind))] },
    { only: names },
    { except: names },
  ]);
}

/** What came, went or changed, by what it is called or, once gone, was called. */
function differing(before: readonly Pictured[], after: readonly Pictured[], made: Plan) {
  const moving = movingAddresses(before, made);
  const text = (one: Pictured) => JSON.stringify(keptFields(one, moving));
  const [old, fresh] = [before, after].map(
    picture => new Map(picture.map(one => [one.uid, text(one)])),
  );
  const objects = new Map([...before, ...after].map(one => [one.uid, one]));
  return [...objects.values()]
    .filter(({ uid }) => old?.get(uid) !== fresh?.get(uid))
    .map(({ name, live: { kind } }) => ({
      kind,
      key: name.slice(kind.length + 1).replace(/#\d+$/, ''),
    }));
}
