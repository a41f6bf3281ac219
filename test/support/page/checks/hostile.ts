// Names that would break out of a page stay text, and its CSV has no formula.
import { strict as assert } from 'node:assert';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checking, pageOf, silent } from '../pageCheck.ts';

const HOSTILE = [
  '=cmd|x',
  '</script><script>throw 1</script>',
  '"><img src=x onerror=alert(1)>',
  '<!--',
  '\u202egnp',
];

/** Names that would break out do not, and the CSV has no formula. */
export async function check({ browser, folder }: Checking): Promise<void> {
  const peers = HOSTILE.map((name, at) => ({ id: `p${at}`, name, ip: `100.64.0.${at + 1}` }));
  const groups = HOSTILE.map((name, at) => ({ id: `g${at}`, name, peers: [{ id: `p${at}` }] }));
  const rule = { id: 'r', name: '=1+1', enabled: true, action: 'accept', protocol: 'all' };
  const policies = HOSTILE.map((name, at) => ({
    id: `q${at}`,
    name,
    enabled: true,
    source_posture_checks: [],
    rules: [{ ...rule, sources: [{ id: `g${at}` }], destinations: [{ id: `g${(at + 1) % 5}` }] }],
  }));
  const rest = { posture_checks: [], routes: [], networks: [], setup_keys: [], users: [] };
  const tab = await browser.open(
    await pageOf(folder, 'hostile', { peers, groups, policies, ...rest }),
  );
  const downloads = join(folder, 'downloads');
  await tab.send('Browser.setDownloadBehavior', {
    behavior: 'allow',
    downloadPath: downloads,
    eventsEnabled: false,
  });
  await tab.value(`document.getElementById('csv').click()`);
  const csv = await downloaded(downloads);
  assert.ok(csv.split('\n').length > HOSTILE.length);
  assert.doesNotMatch(csv, /(?:^|,)"?[=+@-]/m);
  assert.equal(await tab.value(`document.querySelectorAll('img, script').length`), 2);
  assert.equal(await tab.value(`document.body.innerText.includes('\\u202e')`), false);
  await silent(tab);
}

async function downloaded(path: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const [name] = await readdir(path).catch(() => []);
    if (name?.endsWith('.csv')) return readFile(join(path, name), 'utf8');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error('nothing was downloaded');
}
