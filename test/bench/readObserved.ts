// Reads a store of observed traffic, as whoever asks what of the access is used: `node readObserved.ts FOLDER FROM TO`.
import { readObserved } from '../../src/read/observations/readObserved.ts';

const [folder = '', from, to] = process.argv.slice(2);
const { observed } = await readObserved(folder, { from: Number(from), to: Number(to) });
if (observed.flows.length === 0) throw new Error('the store has no flows');
