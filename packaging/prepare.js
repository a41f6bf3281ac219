// Builds `dist/` when npm packs a git repository, which has no `dist/`, for example for `npm install git+…` and pre-commit. npm
// also runs this script in a clone, but then nothing is built.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// npm sets this variable only while it prepares a git dependency.
if (process.env._PACOTE_NO_PREPARE_ !== undefined) {
  const prepack = fileURLToPath(new URL('prepack.js', import.meta.url));
  process.exitCode = spawnSync(process.execPath, [prepack], { stdio: 'inherit' }).status ?? 1;
}
