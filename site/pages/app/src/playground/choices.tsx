// A row of buttons of which one is chosen.
import type { ComponentChildren } from 'preact';

interface ChoicesProperties<T extends string> {
  /** What is chosen, for people who do not see it. */
  readonly label: string;
  readonly options: readonly T[];
  readonly chosen: T;
  readonly choose: (option: T) => void;
  /** A mark next to an option. */
  readonly mark?: (option: T) => ComponentChildren;
  readonly class?: string;
}

export function Choices<T extends string>({ label, options, chosen, choose, mark, class: more = '' }: ChoicesProperties<T>) {
  return (
    <fieldset class={`choices ${more}`} aria-label={label}>
      {options.map((option) => (
        <button type="button" key={option} aria-pressed={option === chosen} onClick={() => choose(option)}>
          {option}
          {mark?.(option)}
        </button>
      ))}
    </fieldset>
  );
}
