// The input `version` under act: a packed meshform by path or URL, and only with the digest that was written down.
import { strict as assert } from 'node:assert';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { selfSigned } from '../../api/certificate.ts';
import type { Bench } from '../bench.ts';
import { digestOf, freshClone, pack } from '../packing.ts';
import type { Step } from '../part.ts';
import { push, type Stage } from './stage.ts';

/** No release has this version, so what prints it is the packed one. */
const VERSION = '0.0.7777';
const WORKFLOW = 'packed.yml';
const TEXT = `on: push
jobs:
  packed:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1
      - uses: example/meshform@${'0'.repeat(40)}
        with:
          command: validate
          path: network
          version: \${{ vars.PACKED }}
          args: --version
`;

/** The steps. */
export async function packedVersions(
  bench: Bench,
  { pipeline, run }: Stage,
): Promise<Readonly<Record<string, Step>>> {
  const clone = await freshClone(bench, 'packed-clone');
  const manifest = join(clone, 'package.json');
  const released = await readFile(manifest, 'utf8');
  await writeFile(manifest, released.replace(/"version": "[^"]+"/, `"version": "${VERSION}"`));
  const tarball = await pack(bench, clone);
  const digest = await digestOf(tarball);
  const site = await serve(bench, tarball);
  const head = await pipeline.commit({ [`.github/workflows/${WORKFLOW}`]: TEXT });
  const use = (exit: number, place: string, sum: string) => {
    const vars = { PACKED: `${place}#sha256:${sum}` };
    const env = { NODE_EXTRA_CA_CERTS: site.authority };
    return run(exit, { workflow: WORKFLOW, ...push(head, head), vars, env });
  };
  const places = { path: tarball, URL: `${site.url}/meshform.tgz` };
  const wrong = digest.replace(/^./, first => (first === '0' ? '1' : '0'));
  return Object.fromEntries([
    ...Object.entries(places).flatMap(([name, place]): [string, Step][] => [
      [
        `a packed version by ${name} runs instead of the checkout`,
        async () => {
          const { stdout } = await use(0, place, digest);
          assert.match(stdout, new RegExp(`\\b${VERSION.replaceAll('.', '\\.')}\\b`));
        },
      ],
      [
        `a packed version by ${name} with another digest is not installed`,
        async () => {
          const { stdout } = await use(1, place, wrong);
          assert.match(stdout, /meshform cannot be installed: the tarball has the digest sha256:/);
          assert.doesNotMatch(stdout, /Run Main Run meshform/);
        },
      ],
    ]),
    [
      'a packed version without a digest, or over http, is not installed',
      async () => {
        const { stdout } = await run(1, {
          workflow: WORKFLOW,
          ...push(head, head),
          vars: { PACKED: tarball },
        });
        assert.match(stdout, /meshform cannot be installed: the input `version` is the path or/);
        const plain = await use(1, places.URL.replace('https:', 'http:'), digest);
        assert.match(plain.stdout, /meshform cannot be installed: .* https/);
      },
    ],
  ]);
}

/** Serves a file over HTTPS on loopback. */
async function serve(bench: Bench, file: string) {
  const certificate = selfSigned('localhost');
  const authority = join(bench.scratch, 'authority.pem');
  await writeFile(authority, certificate.cert);
  const content = await readFile(file);
  const server = createServer(certificate, (_, response) => response.end(content));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  bench.onEnd(() => new Promise(done => server.close(done)));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `https://localhost:${port}`, authority };
}
