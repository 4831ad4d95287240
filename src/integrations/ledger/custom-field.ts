// A field of a record that only its source has, or that a caller keeps with it.
import { createInput } from '../../graphql/input-types.ts';
import { embeddable, text } from '../../records/decorators.ts';

@embeddable('A field of a record that this API has no place of its own for; a record has at most 100.')
export class CustomField {
  @text('Name, at most 100 characters, without an equals sign.', {
    required: true,
    rules: { minLength: 1, maxLength: 100, pattern: /^[^=]+$/, expectation: 'text without an equals sign' },
  })
  name!: string;
  @text('Value as text, at most 1,000 characters.', { rules: { maxLength: 1_000 } }) value!: string | null;
}

export const CustomFieldInput = createInput(
  CustomField,
  'A field of a record that this API has no place of its own for, at most 100; a write replaces all.',
  {
    name: 'CustomFieldInput',
    // What a source has is kept as it is.
    trims: false,
  },
);
