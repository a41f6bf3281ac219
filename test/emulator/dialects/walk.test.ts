// A good request for every operation under dialect `netbird`, and for the operations that only this dialect has: the answers are
// held against the contract in that dialect.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadContract, type Operation } from '../../../src/contract/index.ts';
import { layBeyond } from '../beyond/beyond.ts';
import { operationOf } from '../documented.ts';
import { type Emulated, standing } from '../emulated.ts';
import { type Fixture, startFixture } from '../fixture.ts';

const { operations, netbirdOperations } = loadContract();

let api: Emulated;
let fixture: Fixture;
let end: () => Promise<void>;
beforeAll(async () => {
  const started = await standing({ dialect: 'netbird' });
  end = started.end;
  api = bySpecifiedPaths(started.api);
  fixture = await startFixture(api, ids => layBeyond(api, ids));
});
afterAll(() => end());

/** A client that takes the paths of the specification, and sends those of the dialect. */
function bySpecifiedPaths(client: Emulated): Emulated {
  const moved = (method: string, target: string) => netbirdTarget(`${method} ${target}`, target);
  return {
    ...client,
    call: (method, path, ...more) => client.call(method, moved(method, path), ...more),
    get: path => client.get(moved('GET', path)),
    put: (path, body) => client.put(moved('PUT', path), body),
    post: (path, body) => client.post(moved('POST', path), body),
    make: (path, body) => client.make(moved('POST', path), body),
    remove: path => client.remove(moved('DELETE', path)),
    refusal: (method, path, body) => client.refusal(method, moved(method, path), body),
  };
}

function netbirdTarget(line: string, target: string): string {
  const { path, netbirdPath } = Object(operationOf(line, 'spec'));
  if (netbirdPath === undefined) return target;
  const parts = target.split('/');
  const values = String(path)
    .split('/')
    .flatMap((part, index) => (part.startsWith('{') ? [parts[index]] : []));
  return String(netbirdPath).replaceAll(/\{\w+\}/g, () => values.shift() ?? '');
}

const SUCCESS: Readonly<Record<string, number>> = {
  deleteEdrProviderD: 202,
  deleteProxyDomain: 204,
  validateProxyDomain: 202,
};

describe.each([...operations, ...netbirdOperations])('$id', (operation: Operation) => {
  beforeEach(() => fixture.restore(operation));

  it('responds to a valid request as documented', async () => {
    const { id, method } = operation;
    const answer = await api.call(method, fixture.path(operation), fixture.body(operation));
    expect(answer.status, answer.text).toBe(SUCCESS[id] ?? 200);
  });
});
