import { expect } from 'chai';
import type { TableRow } from '../../../ui/src/api/schema.js';
import { followedPlace } from '../../../ui/src/dashboard/table/actions/row-places.js';

const follow = (ids: string, place: Parameters<typeof followedPlace>[0], first = 0, end = 9) =>
  followedPlace(
    place,
    (at) => (ids[at] === undefined ? undefined : ({ id: ids[at] } as TableRow)),
    {
      first,
      end,
      count: ids.length,
    },
  );

describe('the place of the active row', () => {
  it('stays while its row does', () => {
    const place = { position: 1, id: 'b' };
    expect(follow('abc', place)).to.equal(place);
  });

  it('goes along with its row as far as that is in sight', () => {
    expect(follow('acdb', { position: 1, id: 'b' })).to.deep.equal({ position: 3, id: 'b' });
    expect(follow('acdb', { position: 1, id: 'b' }, 0, 3)).to.deep.equal({ position: 1, id: 'c' });
  });

  it('keeps the trial of an evaluation that moves', () => {
    const place = { position: 1, index: 7, id: 'b' };
    expect(follow('ba', place)).to.deep.equal({ ...place, position: 0 });
  });

  it('is that of the next row when its own is gone, of the last when that was the last', () => {
    expect(follow('acd', { position: 1, id: 'b' })).to.deep.equal({ position: 1, id: 'c' });
    expect(follow('ab', { position: 2, id: 'c' })).to.deep.equal({ position: 1, id: 'b' });
  });

  it('stays where nothing is known of the row', () => {
    const place = { position: 1 };
    expect(follow('abc', place)).to.equal(place);
    expect(follow('abc', { position: 5 })).to.deep.equal({ position: 2, id: 'c' });
  });
});
