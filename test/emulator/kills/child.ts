// An emulator of its own process, to be killed: `node child.ts FILE TOKEN`. Says where it listens once it does.
import { startEmulator } from '../../../src/emulator/index.ts';

const [, , db = '', token = ''] = process.argv;
const emulator = await startEmulator({ db, token });
process.stdout.write(`${emulator.url}\n`);
