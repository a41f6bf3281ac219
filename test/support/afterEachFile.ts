// Files share a worker: what the helpers of a test made for its file goes when the file has ended.
import { afterAll } from 'vitest';
import { collectGarbage } from './garbage.ts';
import { removeJournals } from './journals.ts';

afterAll(removeJournals);
afterAll(collectGarbage);
