// `npm pack` and `npm publish` run this first: it builds the package from the sources, so that a fresh clone can be packed.
// Plain JavaScript, because it may run on a Node that cannot strip types: the dependencies bring the Node that can.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

// An `npm install --global` of a git repository passes its flag on to what runs here, which is about this folder.
const env = { ...process.env, npm_config_global: 'false', npm_config_location: 'project' };

// The name of the tarball is the last line of `npm pack` on stdout: everything else goes to stderr.
function npm(...args) {
  const { status } = spawnSync('npm', args, { cwd: root, env, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    console.error(`the package cannot be built: \`npm ${args.join(' ')}\` failed`);
    process.exit(status || 1);
  }
}

if (!existsSync(`${root}node_modules/typescript`)) npm('ci');
// What an earlier build left is not part of the package.
rmSync(`${root}dist`, { recursive: true, force: true });
npm('run', 'build');
npm('run', 'sbom');
