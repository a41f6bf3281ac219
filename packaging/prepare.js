// npm runs this after it has installed the dependencies of a git repository that it packs, for example for `npm install git+…`
// and pre-commit: the repository has no `dist/`. In a clone, where npm runs it too, nothing is built.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// npm sets this variable only while it prepares a git dependency.
if (process.env._PACOTE_NO_PREPARE_ !== undefined) {
  const prepack = fileURLToPath(new URL('prepack.js', import.meta.url));
  process.exitCode = spawnSync(process.execPath, [prepack], { stdio: 'inherit' }).status ?? 1;
}
