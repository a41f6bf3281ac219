// SSH on its second port: a machine with SSH enabled answers on 22022 as on 22, so guards and tests of port 22 mean both.
import { describe, expect, test } from 'vitest';
import { checkedSelector } from '../../../src/access/ask/selector.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { movedAccess } from '../../../src/access/gates/movedAccess.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import { stateOfAnswers } from '../../../src/access/state/stateOfAnswers.ts';
import { denyFailures } from '../../../src/access/tests/testLines.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import type { JsonObject } from '../../../src/model/value.ts';

const TO_VAULTS: JsonObject = { destinations: [{ id: 'g2' }] };

function stateWith(isSsh: boolean, ...rules: readonly JsonObject[]) {
  const peer = (id: string, name: string, ip: string, more: JsonObject = {}): JsonObject => ({
    id,
    name,
    ip,
    version: '0.60.0',
    os: 'Ubuntu 24.04',
    ...more,
  });
  const answered = stateOfAnswers({
    peers: [
      peer('p1', 'mia', '100.64.0.1'),
      peer('p2', 'vault', '100.64.0.2', { ssh_enabled: isSsh }),
      peer('p3', 'gateway', '100.64.0.3'),
    ],
    groups: [
      { id: 'g1', name: 'laptops', peers: [{ id: 'p1' }] },
      { id: 'g2', name: 'vaults', peers: [{ id: 'p2' }] },
      { id: 'g3', name: 'routed', peers: [] },
    ],
    policies: [
      {
        id: 'q1',
        name: 'policy',
        enabled: true,
        source_posture_checks: [],
        rules: rules.map((rule, at) => ({
          name: `rule ${at}`,
          enabled: true,
          action: 'accept',
          bidirectional: false,
          protocol: 'tcp',
          sources: [{ id: 'g1' }],
          ...TO_VAULTS,
          ...rule,
        })),
      },
    ],
    networks: [
      {
        id: 'n1',
        name: 'overlay',
        resources: [
          {
            id: 'r1',
            name: 'vault',
            address: '100.64.0.2/32',
            enabled: true,
            groups: [{ id: 'g3' }],
          },
        ],
        routers: [{ id: 't1', enabled: true, peer: 'p3' }],
      },
    ],
  });
  if (!('state' in answered)) throw new Error(answered.faults.join());
  return answered.state;
}

function judged(
  isSsh: boolean | readonly [was: boolean, is: boolean],
  was: readonly JsonObject[],
  is: readonly JsonObject[],
  to: string,
) {
  const pool = rowPool();
  const [sshBefore, sshAfter] = typeof isSsh === 'boolean' ? [isSsh, isSsh] : isSsh;
  const states = [stateWith(sshBefore, ...was), stateWith(sshAfter, ...is)];
  const [before, after] = worldsOf(states).map(world => reachesOf(world, pool));
  if (before === undefined || after === undefined) throw new Error('two worlds');
  const selector = checkedSelector(to);
  const at = { file: 'tests.yaml', line: 1, column: 1 };
  const bench = { reaches: after, isAssumed: false, except: { isLeftOut: () => false } };
  const line = { line: 'deny', selector, text: to, at } as const;
  const count = (side: 'gained' | 'lost') =>
    movedAccess({ before, after }, side, { to: selector }).length;
  return {
    isGained: count('gained') > 0,
    isLost: count('lost') > 0,
    isDenied: denyFailures(bench, after.world.inGroups(['laptops']), line).length > 0,
  };
}

const GUARD = 'group/vaults:tcp/22';
const second: JsonObject = { ports: ['22022'] };

describe('port 22022 of a machine with SSH enabled gives access to port 22', () => {
  test.each<[string, JsonObject, boolean]>([
    ['port 22', { ports: ['22'] }, true],
    ['port 22022', second, true],
    ['a range with it', { port_ranges: [{ start: 22000, end: 22100 }] }, true],
    [
      'a network resource at the address of the machine',
      { ...second, destinations: [{ id: 'g3' }] },
      true,
    ],
    ['another port', { ports: ['22023'] }, false],
    ['port 22022 of UDP', { ...second, protocol: 'udp' }, false],
  ])('%s', (_, rule, isReached) => {
    for (const to of [GUARD, 'peer/vault:tcp/22', '100.64.0.2:tcp/20-30']) {
      const { isGained, isDenied } = judged(true, [], [rule], to);
      expect([isGained, isDenied], to).toEqual([isReached, isReached]);
    }
  });

  test('a machine without SSH, or another port, gives no access to port 22', () => {
    expect(judged(false, [], [second], GUARD)).toMatchObject({ isGained: false, isDenied: false });
    const web = judged(true, [], [second], 'group/vaults:tcp/443');
    expect(web).toMatchObject({ isGained: false, isDenied: false });
  });

  const ON = [false, true] as const;
  test.each<[string, JsonObject, boolean]>([
    ['port 22022', second, true],
    ['all ports', { protocol: 'all' }, false],
    ['port 22', { ports: ['22'] }, false],
    ['a network resource at the address', { ...second, destinations: [{ id: 'g3' }] }, true],
    ['another port', { ports: ['22023'] }, false],
  ])('SSH that is switched on opens it to whoever reaches %s', (_, rule, isOpened) => {
    for (const to of [GUARD, 'peer/vault:tcp/22', '100.64.0.2:tcp/20-30']) {
      const { isGained, isDenied } = judged(ON, [rule], [rule], to);
      expect(isGained, to).toBe(isOpened);
      if (isOpened) expect(isDenied, to).toBe(true);
      expect(judged([true, true], [rule], [rule], to).isGained, to).toBe(false);
      expect(judged([true, false], [rule], [rule], to).isGained, to).toBe(false);
    }
    expect(judged(ON, [rule], [rule], 'group/vaults:tcp/443').isGained).toBe(false);
  });

  test('SSH that is switched on together with a rule opens it too', () => {
    expect(judged(ON, [], [second], GUARD).isGained).toBe(true);
    const ssh = { ports: ['22'] };
    expect(judged(ON, [ssh], [ssh, second], GUARD).isGained).toBe(false);
  });

  test('a machine that reaches port 22 gains nothing by it', () => {
    const ssh = { ports: ['22'] };
    expect(judged(true, [ssh], [ssh, second], GUARD).isGained).toBe(false);
    expect(judged(true, [ssh, second], [ssh], GUARD).isLost).toBe(false);
  });
});

describe('a guard of one port of SSH loses access only with the last port where SSH is answered', () => {
  // The SSH of machines that join the group later is off.
  const VAULT = 'peer/vault:tcp/22';
  const ssh: JsonObject = { ports: ['22'] };
  const both: JsonObject = { ports: ['22', '22022'] };
  const other: JsonObject = { ports: ['25'] };

  test.each<[string, boolean, JsonObject, JsonObject | null, boolean]>([
    ['port 22 for port 22022', true, ssh, second, false],
    ['port 22022 for port 22', true, second, ssh, false],
    ['one of two ports', true, both, second, false],
    ['port 22 for another port', true, ssh, other, true],
    ['port 22022', true, second, null, true],
    ['both', true, both, null, true],
    ['port 22 for port 22022 without SSH', false, ssh, second, true],
    ['port 22022 without SSH', false, second, null, false],
  ])('%s', (_, isSsh, was, is, isLost) => {
    const after = is === null ? [] : [is];
    expect(judged(isSsh, [was], after, VAULT).isLost).toBe(isLost);
  });

  test('access to other ports of a range is still lost', () => {
    expect(judged(true, [{ ports: ['22', '25'] }], [second], 'peer/vault:tcp/20-30').isLost).toBe(
      true,
    );
    expect(
      judged(true, [{ ports: ['22', '25'] }], [{ ports: ['25', '22022'] }], 'peer/vault:tcp/20-30')
        .isLost,
    ).toBe(false);
  });

  test('SSH that is switched on or off is evaluated in the same way', () => {
    expect(judged([false, true], [ssh], [second], VAULT).isLost).toBe(false);
    expect(judged([true, false], [ssh], [second], VAULT).isLost).toBe(true);
    expect(judged([true, false], [second], [ssh], VAULT).isLost).toBe(false);
  });
});

describe('port 22 of a machine with SSH enabled gives access to port 22022, which the server opens with it', () => {
  const SECOND = 'group/vaults:tcp/22022';
  const ssh: JsonObject = { ports: ['22'] };

  test.each<[string, JsonObject, boolean]>([
    ['port 22', ssh, true],
    ['port 22022', second, true],
    ['a range with port 22', { port_ranges: [{ start: 20, end: 30 }] }, true],
    ['another port', { ports: ['23'] }, false],
    ['port 22 of UDP', { ...ssh, protocol: 'udp' }, false],
  ])('%s', (_, rule, isReached) => {
    for (const to of [SECOND, 'peer/vault:tcp/22022', '100.64.0.2:tcp/22000-22100']) {
      const { isGained, isDenied } = judged(true, [], [rule], to);
      expect([isGained, isDenied], to).toEqual([isReached, isReached]);
    }
  });

  test('a machine without SSH enabled gives no access to port 22022', () => {
    expect(judged(false, [], [ssh], SECOND)).toMatchObject({ isGained: false, isDenied: false });
  });

  test('a machine that reaches port 22022 gains nothing by it', () => {
    expect(judged(true, [second], [second, ssh], SECOND).isGained).toBe(false);
    expect(judged(true, [second, ssh], [second], SECOND).isLost).toBe(false);
  });

  test('SSH that is switched on opens it to whoever reaches port 22', () => {
    expect(judged([false, true], [ssh], [ssh], SECOND)).toMatchObject({
      isGained: true,
      isDenied: true,
    });
    expect(judged([false, true], [second], [second], SECOND).isGained).toBe(false);
    expect(judged([true, false], [ssh], [ssh], SECOND).isGained).toBe(false);
  });
});
