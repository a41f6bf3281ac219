// Comments for forges: within their size whatever is in a plan, deletions and gained access in sight, names harmless.
import { expect, test } from 'vitest';
import { COMMENT_BYTES, clipped, listWithin } from '../../src/report/comment/budget.ts';
import { planComment } from '../../src/report/comment/planComment.ts';
