// The access diff of a large account: what it costs beside the plan that it belongs to. A slice asks only whether it is whole;
// the full count notes processor time and memory, and asserts neither.
import { expect, test } from 'vitest';
import type { Plan } from '../../../src/model/plan.ts';
import { planDesired } from '../../../src/pipeline/planning/planDesired.ts';
import { loadSchemas } from '../../../src/pipeline/schemas.ts';
import { KINDS, load } from '../../support/files.ts';
import { gatesFor } from '../../support/gates.ts';
import { type Extent, patience, proof } from '../../support/proof.ts';
import { LARGE, largeAccount } from './large.ts';
import { answering, editedFiles } from './largeRepository.ts';

/** In hundredths of the large account. */
const EXTENT: Extent = { slice: 2, full: 100 };
/** Edits of the files; a slice has fewer policies to edit. */
const EDITS = { slice: 15, full: 50 };
const TOOLS = loadSchemas(KINDS);

test(
  'a plan of many edits reports what they change about access',
  async () => {
    const { count, seed, found } = proof(
      'access diff of a large account, in hundredths of it',
      EXTENT,
    );
    const part = (whole: number) => Math.ceil((whole * count) / 100);
    const edits = count < EXTENT.full ? EDITS.slice : EDITS.full;
    const account = largeAccount(
      {
        machines: part(LARGE.machines),
        groups: part(LARGE.groups),
        policies: Math.max(part(LARGE.policies), 2 * edits),
        resources: part(LARGE.resources),
      },
      seed,
    );
    const text = editedFiles(account, edits);
    const reading = timed();
    const { desired, diagnostics } = load(text);
    const readFor = reading();
    expect(diagnostics).toEqual([]);
    const plan = async (access: boolean) => {
      const took = timed();
      const made = await planDesired(
        TOOLS,
        { desired, base: [], folder: 'large' },
        answering(account),
        {
          dialect: 'netbird',
          prune: 'none',
          allow: [],
          thresholds: {},
          concurrency: 4,
          ...(access && { access: gatesFor({}, [], []) }),
        },
      );
      return { made, seconds: took() };
    };
    const plain = await plan(false);
    const whole = await plan(true);
    expect(plain.made.actions.length).toBeGreaterThanOrEqual(edits);
    // The order is chosen by what happens to access on the way.
    expect(idsOf(whole.made)).toEqual(idsOf(plain.made));
    const access = whole.made.access;
    expect(access?.changes.length).toBeGreaterThan(0);
    const without = readFor + plain.seconds;
    const more = whole.seconds - plain.seconds;
    const peak = Math.round(process.resourceUsage().maxRSS / 1024);
    const { groups, policies, networks } = account;
    const size = `${account.peers.length} machines, ${groups.length} groups, ${policies.length} policies, ${networks.flatMap(({ resources }) => resources).length} resources`;
    found(
      `${size}; ${plain.made.changes.length} changes of which ${access?.changes.length} access changes for ${access?.machines} machines: files and plan ${without.toFixed(1)} s of processor time, the access diff ${more.toFixed(1)} s more (${(more / without).toFixed(1)} times), ${peak} MiB at most`,
    );
  },
  patience(EXTENT, 6_000),
);

/** Starts a clock of the processor's time, which other work on the machine does not change. */
function timed(): () => number {
  const begun = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1e6;
  };
}

const idsOf = ({ actions }: Plan) => new Set(actions.map(({ id }) => id));
