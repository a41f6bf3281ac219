// How a destination leads to what was asked for, or to what is guarded, is said in every output: as text, on pages, in drawings and comments.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { elementsIn } from '../../support/page/html.ts';

// Several commands each.
vi.setConfig({ testTimeout: 60_000 });

const DB = 'network_resource/production/orders-db';
const LEADS = '::/0 leads to every IPv4 address where a router translates IPv6 (NAT64, 6to4)';

const BEFORE = `groups: [{ name: laptops }, { name: gateways }, { name: databases }]
networks:
  - name: production
    resources: [{ name: orders-db, address: 10.20.0.5, groups: [databases] }]
    routers: [{ peer_groups: [gateways], metric: 100, masquerade: true }]
policies:
  - { name: Default, enabled: false, rules: [{ name: Default, sources: [All], destinations: [All], bidirectional: true, protocol: all }] }
  - name: ping
    rules: [{ name: ping, sources: [laptops], destinations: [gateways], protocol: icmp }]
`;
const EXIT = `routes:
  - { network_id: exit, network: "::/0", peer_groups: [gateways], masquerade: true, groups: [laptops] }
`;

/** The matrix of a page, as its script has it. */
async function matrixIn(file: string) {
  const page = await readFile(file, 'utf8');
  const data = elementsIn(page).find(({ attributes }) => attributes.id === 'data');
  return JSON.parse(data?.text ?? '').matrix;
}

test('an answer reports a detour through an exit node in each format and in the HTML page', () =>
  inFolder(async cwd => {
    await mkdir(join(cwd, 'network'));
    await writeFile(join(cwd, 'network', 'network.yaml'), `${BEFORE}${EXIT}`);
    const said = `counts because ${LEADS}`;
    const asked = ['access', 'to', DB];
    for (const format of ['text', 'markdown', 'csv', 'graphml']) {
      const { stdout } = await meshform([...asked, '--format', format, 'network'], { cwd });
      expect(stdout.replaceAll(/\s+/g, ' '), format).toContain(said);
    }
    await meshform([...asked, '--html', 'page.html', 'network'], { cwd });
    const { columns, verdicts } = await matrixIn(join(cwd, 'page.html'));
    expect(columns.map(({ name }: { name: string }) => name)).toContain('route/exit');
    // The cell of the route, and the cell of the database, which has the way around.
    const around = { status: 'around', because: [expect.stringContaining(said)] };
    expect(verdicts).toMatchObject([{ because: [expect.any(String), said] }, around]);
    // Whoever asks for nothing in particular is told it at the database only.
    await meshform(['access', '--html', 'whole.html', 'network'], { cwd });
    const whole = await matrixIn(join(cwd, 'whole.html'));
    const told = whole.verdicts.filter((one: unknown) => JSON.stringify(one).includes(said));
    expect(told).toMatchObject([around]);
  }));

test('a plan that opens a guarded target through an exit node says so in text, HTML and comment', () =>
  inFolder(async cwd => {
    const account = await startAccount();
    const env = environmentOf(account);
    const run = (...words: readonly string[]) => meshform(words, { cwd, env });
    await mkdir(join(cwd, 'network'));
    await writeFile(join(cwd, 'network', 'network.yaml'), BEFORE);
    await writeFile(join(cwd, 'network', 'meshform.yaml'), `guarded: [${DB}]\n`);
    expect((await run('apply', 'network', '--yes')).code).toBe(0);
    await writeFile(join(cwd, 'network', 'network.yaml'), `${BEFORE}${EXIT}`);
    for (const format of ['text', 'markdown', 'comment', 'json']) {
      const { stdout } = await run('plan', 'network', '--format', format);
      expect(stdout.replaceAll(/\s+/g, ' '), format).toContain(`because ${LEADS}`);
    }
    await run('plan', 'network', '--html', 'plan.html');
    const page = await readFile(join(cwd, 'plan.html'), 'utf8');
    expect(page).toContain(`because ${LEADS}`);
    await account.close();
  }));
