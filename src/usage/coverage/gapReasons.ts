// Whether the log would have shown the use of some access, and if not, why.
import { visible } from '../../model/text/visible.ts';
import { DAY_MS, type Day, type Gap, type Time } from '../observed.ts';

/** Whether every machine that would admit the access reported its traffic for the whole time that it was connected. */
export interface Covered {
  readonly isCovered: boolean;
  /** The ids of the machines that would admit the access. */
  readonly machines: readonly string[];
  /** Those of the machines that reported any flow. */
  readonly reporting: readonly string[];
  /**
   * Those of the machines that filter in the kernel: they report starts, but neither drops nor
   * policies.
   */
  readonly inKernel: readonly string[];
  /** The whole days of the window. */
  readonly days: number;
  /** Why the access is not covered; empty if it is. */
  readonly reasons: readonly Reason[];
}

/** The kinds of things that may be new in a window. */
export type NewThing = 'the rule' | 'a group' | 'a machine' | 'a network resource' | 'a route';

/** A reason why the log is not conclusive. */
export type Reason =
  | { readonly type: 'window'; readonly days: number }
  | { readonly type: 'gap'; readonly gap: Gap }
  /** An object that did not exist throughout the window: its key, or the id of a machine, and the time since which it exists. */
  | {
      readonly type: 'new';
      readonly what: NewThing;
      readonly name: string;
      readonly since: Time | null;
    }
  /** An object that existed but did not admit the access in earlier states, or not as it does now. */
  | {
      readonly type: 'admits';
      readonly what: NewThing;
      readonly name: string;
      readonly since: Time | null;
    }
  /** An object that existed, but gave other access than now. */
  | {
      readonly type: 'changed';
      readonly what: NewThing;
      readonly name: string;
      readonly since: Time | null;
    }
  /**
   * Nobody could use the access: no machine of the source group existed and passed the checks.
   * Without a name, this applies to all source groups.
   */
  | { readonly type: 'unusable'; readonly name?: string; readonly since: Time | null }
  /** A drop rule that refused a part of the access: the key of its policy. */
  | { readonly type: 'refused'; readonly name: string; readonly since: Time | null }
  /** A machine that was connected on days on which it reported nothing. */
  | { readonly type: 'silent'; readonly machine: string; readonly days: readonly Day[] }
  /**
   * A machine that reported nothing on days on which it was connected, according to flows that
   * others reported.
   */
  | { readonly type: 'met'; readonly machine: string; readonly days: readonly Day[] }
  /** A machine may have used the access, but its traffic was deleted from the store. */
  | { readonly type: 'forgotten'; readonly until: Time }
  /** A machine that reported nothing near the start or the end of the window: it is unknown whether it was on. */
  | { readonly type: 'unseen'; readonly machine: string; readonly when: 'ever' | 'begin' | 'end' };

/** The least number of days that a window must have for certain findings. */
export const LEAST_DAYS = 30;

/** A machine must have reported within this many days of the start and of the end of the window. */
export const NEAR_DAYS = 14;

/** A reason as a clause. `nameOf` returns the name of the machine with an id. */
export function reasonText(reason: Reason, nameOf: (machine: string) => string): string {
  switch (reason.type) {
    case 'window':
      return `observed for only ${reason.days} ${reason.days === 1 ? 'day' : 'days'} instead of ${LEAST_DAYS}`;
    case 'gap':
      return reason.gap.reason;
    case 'new':
    case 'admits':
    case 'changed':
    case 'unusable':
    case 'refused':
      return earlierText(reason, nameOf);
    case 'silent':
      return `${visible(nameOf(reason.machine))} was connected but reported nothing on ${daysText(reason.days)}`;
    case 'met':
      return `${visible(nameOf(reason.machine))} had traffic according to other machines, but reported nothing on ${daysText(reason.days)}`;
    case 'forgotten':
      return `the traffic of a machine was deleted on ${dateText(reason.until)}`;
    case 'unseen':
      return `${visible(nameOf(reason.machine))} ${UNSEEN[reason.when]}`;
  }
}

type Earlier = Extract<Reason, { readonly since: Time | null }>;

// A reason about an object that did not exist throughout the window, as a clause.
function earlierText(reason: Earlier, nameOf: (machine: string) => string): string {
  const { type, name, since } = reason;
  const date = since === null ? null : dateText(since);
  switch (type) {
    case 'new': {
      const thing = thingText(reason, nameOf);
      return date === null ? `${thing} was not observed` : `${thing} is new since ${date}`;
    }
    case 'admits': {
      const thing = thingText(reason, nameOf);
      return date === null
        ? `${thing} is not part of this access in the observed account`
        : `${thing} has been part of this access only since ${date}`;
    }
    case 'changed': {
      const thing = thingText(reason, nameOf);
      return date === null
        ? `${thing} is a different object in the observed account`
        : `${thing} has been as it is now only since ${date}`;
    }
    case 'unusable': {
      const who = name === undefined ? 'no machine' : `no machine of group ${visible(name)}`;
      return date === null ? `${who} can use it` : `${who} could use it before ${date}`;
    }
    case 'refused':
      return `the drop rule of ${visible(name)} refused it${date === null ? '' : ` before ${date}`}`;
  }
}

function thingText(
  { what, name }: { readonly what: NewThing; readonly name: string },
  nameOf: (machine: string) => string,
): string {
  const called = what === 'a machine' ? nameOf(name) : name;
  return what === 'the rule' ? what : `${what.replace(/^a /, '')} ${visible(called)}`;
}

const UNSEEN = {
  ever: 'never reported anything',
  begin: `reported nothing in the first ${NEAR_DAYS} days`,
  end: `reported nothing in the last ${NEAR_DAYS} days`,
} as const;

const daysText = (days: readonly Day[]): string => {
  const [first = 0] = days;
  return days.length === 1 ? dateText(first * DAY_MS) : `${days.length} days`;
};

const dateText = (time: Time): string => new Date(time).toISOString().slice(0, 10);
