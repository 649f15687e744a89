import { expect } from 'chai';
import { splitEnd, tellingEnds } from '../../../ui/src/components/names/telling-end.js';

describe('the end of a name that is kept', () => {
  const endsOf = (...names: string[]) => {
    const ends = tellingEnds(names);
    return names.map((name) => splitEnd(name, ends.get(name) ?? 0)[1]);
  };

  it('is the shortest that tells it from the others, from the start of a word on', () => {
    expect(
      endsOf(
        'escalate[invoice_en_first_contact]',
        'escalate[invoice_de_first_contact]',
        'escalate[invoice_en_second_contact]',
      ),
    ).to.deep.equal(['en_first_contact]', 'de_first_contact]', 'second_contact]']);
  });

  it('has at least 8 characters and at most 20', () => {
    expect(endsOf('alpha_beta_gamma_delta_1', 'alpha_beta_gamma_delta_2')).to.deep.equal(
      ['delta_1', 'delta_2'].map((end) => `gamma_${end}`),
    );
    expect(endsOf('short')).to.deep.equal(['short']);
  });

  it('is not the whole name, which could not give way then', () => {
    expect(endsOf('refund_amount', 'tool_args')).to.deep.equal(['d_amount', 'ool_args']);
  });

  it('leaves the room to the beginning if no end of 20 characters tells them apart', () => {
    expect(
      endsOf(
        'track[second_parcel_without_order_number]',
        'track[third_parcel_without_order_number]',
      ),
    ).to.deep.equal(['_number]', '_number]']);
  });

  it('tells a name from those that begin alike if it cannot tell it from all', () => {
    const names = ['billing', 'shipping'].flatMap((queue) =>
      ['first', 'second'].map((turn) => `ask[invoice_${queue}_en_${turn}_contact]`),
    );
    const ends = ['first_contact]', 'second_contact]'];
    expect(endsOf(...names)).to.deep.equal([...ends, ...ends]);
  });

  it('is the same whatever the order, and for a name that comes twice', () => {
    expect(endsOf('one_name_of_many', 'one_name_of_many')).to.deep.equal(
      ['of_many', 'of_many'].map((end) => `name_${end}`),
    );
  });

  it('keeps characters whole', () => {
    expect(splitEnd('ab😀', 1)).to.deep.equal(['ab', '😀']);
    expect(splitEnd('abe\u0301', 1)).to.deep.equal(['ab', 'e\u0301']);
    expect(splitEnd('ab', 9)).to.deep.equal(['', 'ab']);
  });
});
