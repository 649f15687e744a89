import { expect } from 'chai';
import { lineValues, type OfferedFacets } from '../../../ui/src/dashboard/filters/filter-values.js';
import { parseView } from '../../../ui/src/dashboard/view-state.js';

const counted = (values: Record<string, number>) =>
  Object.entries(values).map(([value, count]) => ({ value, count }));
const facets: OfferedFacets = {
  dataset: counted({ handoff: 9, refunds: 24 }),
  label: counted({ long: 3, de: 4, edge: 24, tools: 9 }),
  status: [],
  score: [],
  flaky: [],
  origin: [],
  cut: [],
};
const none = parseView('').filters;
/** Letters of six pixels. */
const textWidth = (text: string) => text.length * 6;
const shown = (width: number) =>
  lineValues(facets, none, width, textWidth).flatMap(([, values]) =>
    values.map(({ value }) => value),
  );

describe('the values in the filter line', () => {
  it('are as many as fit, the most common first, in their own order', () => {
    // Padding 15, gaps 5 and 6, and 16 around the name of a filter.
    const datasets = 42 + 16 + (42 + 12 + 26) + (42 + 6 + 26);
    const edge = 30 + 16 + (24 + 12 + 26);
    const tools = 30 + 6 + 26;
    expect(shown(datasets + edge + tools)).to.deep.equal(['handoff', 'refunds', 'edge', 'tools']);
    expect(shown(datasets + edge)).to.deep.equal(['handoff', 'refunds', 'edge']);
    expect(shown(datasets + edge - 1)).not.to.include('edge');
  });
});
