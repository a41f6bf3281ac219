// The views of the access that the files describe, on the page of a studio: those of `access --html`.
import { jsonLine } from '../../model/text/jsonText.ts';
import { blockedSection } from '../page/blocked.ts';
import { matrixData } from '../page/data.ts';
import type { InSteps } from '../page/inSteps.ts';
import { mapInSteps } from '../page/map.ts';
import type { MapContent } from '../page/mapDrawings.ts';
import { matrixSection } from '../page/matrix.ts';
import type { Naming } from '../page/naming.ts';
import { networksInSteps } from '../page/networkSection.ts';
import { policiesSection } from '../page/policySection.ts';
import type { Section } from '../page/section.ts';
import { sectionOf } from '../page/shell.ts';
import { stateControl } from '../page/states.ts';
import { partSection } from './changingParts.ts';

/** The views, and the data that their script reads. */
export interface StudioViews {
  readonly markup: string;
  readonly data: string;
}

/** The views of the files. If `content` has a state to compare with, they also show the differences. Each drawing is a step. */
export function* studioViews(
  content: MapContent,
  { readable, signs }: Naming,
): InSteps<StudioViews> {
  const before = content.compared?.before;
  const { picture } = content;
  const sections = [
    yield* mapInSteps(content, { readable, signs }),
    matrixSection(picture, before !== undefined),
    blockedSection(picture),
    policiesSection(picture),
    yield* networksInSteps(picture, { readable, signs }),
  ];
  const markup = sections.map(section => sectionOf(section).markup);
  const control = before ? [stateControl().markup] : [];
  return {
    markup: [...control, ...markup].join(''),
    data: jsonLine({ matrix: matrixData(picture.matrix, before?.matrix, readable) }),
  };
}

/** The place of the views. */
export const viewsSection = (): Section => partSection('views', 'The access of the files');
