// Runs before `npm pack` and `npm publish`: builds the package from the sources, so that a fresh clone can be packed. Plain
// JavaScript, because it may run on a Node version that cannot strip types; the dependencies contain a version that can.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

// `npm install --global` of a git repository passes its flag on to this script, which must install into this folder.
const env = { ...process.env, npm_config_global: 'false', npm_config_location: 'project' };

// Callers read the name of the tarball from stdout of `npm pack`, so all other output goes to stderr.
function npm(...args) {
  const { status } = spawnSync('npm', args, { cwd: root, env, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    console.error(`the package cannot be built: \`npm ${args.join(' ')}\` failed`);
    process.exit(status || 1);
  }
}

if (!existsSync(`${root}node_modules/typescript`))
  npm('ci', '--no-audit', '--no-fund', '--prefer-offline');
// Files of an earlier build are not part of the package.
rmSync(`${root}dist`, { recursive: true, force: true });
npm('run', 'build');
npm('run', 'sbom');
