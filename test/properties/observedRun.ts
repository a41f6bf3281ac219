// A run under watch: after every write the whole account is looked at, to see what it changed.
import { accountPort } from '../../src/api/account/port.ts';
import { writeTransport } from '../../src/api/transport/transport.ts';
import type { RunEvent } from '../../src/apply/port.ts';
import { runPlan } from '../../src/apply/run/run.ts';
import { secretOpener } from '../../src/apply/secrets/opener.ts';
import { kindsIn } from '../../src/kinds/schema/table.ts';
import type { Plan, ShownAction } from '../../src/model/plan.ts';
import type { Json } from '../../src/model/value.ts';
import type { TestAccount } from '../support/account.ts';
import { KINDS } from '../support/files.ts';
import { type Pictured, pictureOf } from '../support/picture.ts';

/** One write of a run. */
export interface Write {
  readonly action: ShownAction;
  /** The objects that it made, changed or deleted, and what they are called. */
  readonly changed: readonly { readonly id: string; readonly name: string }[];
}

/** Carries a plan out, one action after the other, and tells what each write changed. */
export async function observedRun(account: TestAccount, plan: Plan): Promise<readonly Write[]> {
  const port = accountPort(writeTransport(account.transport), KINDS);
  const writes: Write[] = [];
  let action = plan.actions[0];
  let before = await pictureOf(account);
  const watched =
    <A extends unknown[], R>(call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      const result = await call(...given);
      const after = await pictureOf(account);
      if (action) writes.push({ action, changed: changed(before, after) });
      before = after;
      return result;
    };
  await runPlan(plan, {
    kinds: kindsIn(KINDS, plan.dialect),
    port: {
      ...port,
      create: watched(port.create),
      update: watched(port.update),
      delete: watched(port.delete),
    },
    openSecret: secretOpener({ env: () => 'a secret', file: () => undefined }),
    now: () => 0,
    planReadAt: 0,
    concurrency: 1,
    onEvent: (event: RunEvent) => {
      if (event.type === 'start') action = event.action;
    },
  });
  return writes;
}

function changed(before: readonly Pictured[], after: readonly Pictured[]): Write['changed'] {
  const old = texts(before);
  const fresh = texts(after);
  const pictured = new Map([...before, ...after].map(one => [one.uid, one]));
  return [...pictured.values()]
    .filter(({ uid }) => old.get(uid) !== fresh.get(uid))
    .map(({ live: { id }, name }) => ({ id, name: name.replace(/#\d+$/, '') }));
}

// Its own fields, and those of which another object holds the other side. Who has an IPv6 address follows groups and settings: a hazard says so,
// and no action announces it.
function texts(picture: readonly Pictured[]): ReadonlyMap<string, string> {
  return new Map(
    picture.map(({ live, uid, idFields }) => {
      const fields = [...(KINDS.get(live.kind)?.shape.fields.values() ?? [])];
      const echoed = fields
        .filter(({ sentBack }) => sentBack)
        .map(({ name }) => idsIn(live.serverFields[name]));
      const { ipv6: _, ...own } = idFields;
      return [uid, JSON.stringify([own, echoed])];
    }),
  );
}

const idsIn = (value: Json | undefined): string[] =>
  (JSON.stringify(value ?? null).match(/"id":"[^"]*"/g) ?? []).sort();
