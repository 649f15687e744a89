import { expect } from 'chai';
import fc from 'fast-check';
import { labelWidth, placeLabels } from '../../../ui/src/dashboard/summary/latency-axis.js';

type Label = ReturnType<typeof placeLabels>['p50'];

const spanOf = (at: number, { isLeft }: Label) =>
  isLeft ? { from: at - labelWidth, to: at } : { from: at, to: at + labelWidth };

describe('labels of p50 and p95', () => {
  it('cover neither each other nor the line of the other, and stay on the drawing', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const { p50, p95 } = placeLabels(low, high);
        const [first, last] = [spanOf(low, p50), spanOf(high, p95)];
        for (const { from, to } of [first, last]) {
          expect(from).to.be.at.least(0);
          expect(to).to.be.at.most(1);
        }
        const isApart = first.to <= last.from || last.to <= first.from;
        expect(isApart || p50.row !== p95.row).to.equal(true);
        // A line crosses the rows at and below that of its label.
        const isCrossed = (line: number, of: Label, { from, to }: typeof first, label: Label) =>
          of.row <= label.row && from < line && line < to;
        expect(isCrossed(low, p50, last, p95)).to.equal(false);
        expect(isCrossed(high, p95, first, p50)).to.equal(false);
      }),
    );
  });

  it('are in one row where there is room', () => {
    expect(placeLabels(0.4, 0.4)).to.deep.equal({
      p50: { isLeft: true, row: 0 },
      p95: { isLeft: false, row: 0 },
    });
    expect(placeLabels(0.85, 0.9)).to.deep.equal({
      p50: { isLeft: true, row: 1 },
      p95: { isLeft: true, row: 0 },
    });
  });
});
