// Whatever is asked, the emulator answers as the contract says, and never with a fault of its own.
import { expect, it } from 'vitest';
import { type Edition, loadContract, type Operation } from '../../../src/contract/index.ts';
import { seededRandom } from '../../../src/emulator/index.ts';
import { patience, proof } from '../../support/proof.ts';
import { emulatedOverHttp } from '../emulated.ts';
import { drawRequest } from './requests.ts';
import { newSightings } from './sightings.ts';
import { CLUSTER } from './values.ts';

const AT_ONCE = 8;
/** No request takes that long unless it hangs. */
const LONG = 10_000;

/** Where one server drops the connection of a request that it stumbles over, and where it does so only of a null. */
const DROPS = ['Posture checks', 'Groups'];
const NULL_DROPS = [...DROPS, 'Users', 'Setup keys', 'Peers'];

const RUNS = { slice: 300, full: 20_000 };

const SERVERS = (['cloud', 'self-hosted'] as const).flatMap(edition =>
  (['spec', 'netbird'] as const).map(dialect => ({ dialect, edition })),
);

/** The contract as far as a server offers it, without what would end the account of the caller. */
function offered(edition: Edition, dialect: string) {
  const contract = loadContract();
  const further = dialect === 'netbird' ? contract.netbirdOperations : [];
  const operations = [...contract.operations, ...further].filter(
    ({ editions, id }) => editions.includes(edition) && id !== 'deleteAccount',
  );
  return { ...contract, operations };
}

it.each(SERVERS)(
  'requests generated from the contract get no 5xx and no hang, dialect $dialect, $edition',
  async ({ dialect, edition }) => {
    const where = edition === 'cloud' ? '' : `, ${edition}`;
    const { count, seed, found } = proof(
      `requests generated from the contract, dialect ${dialect}${where}`,
      RUNS,
    );
    const contract = offered(edition, dialect);
    const random = seededRandom(seed);
    const api = await emulatedOverHttp({ dialect, edition, bearerTokens: true });
    // One that no request can delete, as it may any token of the list.
    const lasting = { expires_in: 86_400 };
    const { access_token } = Object(await api.control('POST', '/emulator/access-tokens', lasting));
    const seen = newSightings();
    const enrol = async (name: string) =>
      seen.note('/api/peers/{}', `/api/peers/${await api.enrol(name)}`);
    await api.control('POST', '/emulator/proxy-clusters', { address: CLUSTER });
    const statuses = new Map<number, number>();

    const send = async () => {
      const request = drawRequest(contract, seen, random);
      const { operation, path, search, body } = request;
      const target = `${served(operation, path, dialect)}${search}`;
      const label = `seed ${seed}: ${operation.method} ${target} ${JSON.stringify(body)}`;
      const reply = await answered(
        api.call(operation.method, target, body, `Bearer ${access_token}`),
        label,
      );
      if (reply === undefined) {
        expect(dialect, label).toBe('netbird');
        expect(body === 'null' || body === null ? NULL_DROPS : DROPS, label).toContain(
          operation.tag,
        );
        return;
      }
      const { status, text } = reply;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status < 300 && operation.method === 'DELETE') seen.forget(path);
      else if (status < 300) seen.see(operation, path, reply.body);
      const documented = operation.replies.some(({ status: one }) => one === '501');
      const allowed = [...(documented ? [501] : []), ...(dialect === 'netbird' ? [500] : [])];
      if (status >= 500) expect(allowed, `${label}: ${text}`).toContain(status);
    };
    for (let sent = 0; sent < count; sent += AT_ONCE) {
      if (sent % 160 === 0) await enrol(`machine-${sent}`);
      await Promise.all(Array.from({ length: AT_ONCE }, send));
    }

    const successes = [...statuses].filter(([status]) => status < 300).map(([, n]) => n);
    const tally = [...statuses].toSorted().map(([status, times]) => `${status}: ${times}`);
    found(`answers by status: ${tally.join(', ')}; no hang`);
    // A fuzzer whose requests are all refused proves nothing.
    expect(successes.reduce((sum, n) => sum + n, 0)).toBeGreaterThan(count / 4);
  },
  patience(RUNS),
);

/** Where a dialect has a path of the contract. */
function served({ path, netbirdPath }: Operation, concrete: string, dialect: string): string {
  if (dialect === 'spec' || netbirdPath === undefined) return concrete;
  const [own = ''] = path.split('/{');
  const [vendors = ''] = netbirdPath.split('/{');
  return concrete.replace(own, vendors);
}

async function answered<T>(reply: Promise<T>, label: string): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer: ${label}`)), LONG);
  });
  try {
    return await Promise.race([reply, late]);
  } catch (error) {
    if (error instanceof TypeError && error.message === 'fetch failed') return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
