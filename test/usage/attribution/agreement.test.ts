// Attribution agrees with what `access from … to …` says of the same source, destination and port.
import { expect, test } from 'vitest';
import { type Admission, admissionsIn } from '../../../src/access/admitted/admission.ts';
import { trafficOf } from '../../../src/access/admitted/flowTraffic.ts';
import { isPossible } from '../../../src/access/ask/answerNames.ts';
import { targetsOf } from '../../../src/access/ask/destinations.ts';
import { type Flow, flowsBetween } from '../../../src/access/ask/flows.ts';
import { checkedSelector } from '../../../src/access/ask/selector.ts';
import { reachesIn } from '../../../src/access/flows/reaches.ts';
import { bitsOf, indexesIn } from '../../../src/access/sets/bits.ts';
import type { Endpoint } from '../../../src/usage/observed.ts';
import { generatedAccount } from '../../access/generated.ts';
import { stateOf } from '../../access/names.ts';
import { patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';
import { address, flow, machine, resource } from '../observations.ts';

type Grant = Pick<Admission, 'compiled' | 'openRoute' | 'isReverse'>;

const grantText = ({ compiled, openRoute, isReverse }: Grant): string =>
  `${compiled?.number} ${isReverse} ${openRoute?.key}`;

const grantsIn = (flows: readonly Flow[]): ReadonlySet<string> =>
  new Set(flows.flatMap(({ grants }) => grants.map(grantText)));

const PORTS = [
  [6, 22],
  [6, 443],
  [6, 8050],
  [17, 80],
  [1, 8],
] as const;

const RUNS = { slice: 60, full: 5000 };

test(
  'a generated flow uses the rules and routes that `access` shows for it',
  () => {
    const { count, seed, found } = proof('attribution of drawn flows', RUNS);
    let admitted = 0;
    fc.assert(
      fc.property(generatedAccount, fc.nat(4), (account, at) => {
        const reaches = reachesIn(stateOf(account));
        const { world } = reaches;
        const { admissionsOf } = admissionsIn(reaches);
        const [protocol, port] = PORTS[at] ?? PORTS[0];
        const selectors: readonly (readonly [Endpoint, string])[] = [
          ...account.peers.map(({ id }) => [machine(id), `peer/id:${id}`] as const),
          ...account.networks.flatMap(({ resources }) =>
            resources
              .filter(one => !one.address.includes('/'))
              .map(one => [resource(one.id), `network_resource/id:${one.id}`] as const),
          ),
          [address('10.0.0.5'), '10.0.0.5'],
          [address('172.16.0.9'), '172.16.0.9'],
          [address('198.51.100.1'), '198.51.100.1'],
        ];
        for (const [end, selector] of selectors) {
          const targets = targetsOf(world, checkedSelector(selector)) ?? [];
          for (const source of indexesIn(world.today)) {
            const id = world.machineAt(source)?.id ?? '';
            if (end.type === 'machine' && end.id === id) continue;
            const asked = flow(machine(id), end, { protocol, port });
            const flows = flowsBetween(reaches, {
              sources: bitsOf([source]),
              targets,
              traffic: [trafficOf(asked)],
            });
            const possible = flows.filter(isPossible);
            const got = new Set(admissionsOf(asked).admissions.map(grantText));
            const expected = grantsIn(possible.length > 0 ? possible : flows);
            expect(got.size > 0).toBe(expected.size > 0);
            expect([...expected].filter(one => !got.has(one))).toEqual([]);
            // What nobody knows of a machine's posture may be in favour of a further rule.
            if (!reaches.hasPosture) expect(got.size).toBe(expected.size);
            if (got.size > 0) admitted++;
          }
        }
      }),
      { numRuns: count, seed },
    );
    expect(admitted).toBeGreaterThan(count);
    found(`${admitted} flows were admitted`);
  },
  patience(RUNS, 100),
);
