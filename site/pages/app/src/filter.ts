// The filter of a long list of names. It hides the entries without the typed text, and opens the groups that have an entry with it.
for (const input of document.querySelectorAll<HTMLInputElement>('input[data-filters]')) {
  const list = document.getElementById(input.dataset.filters!)!;
  input.closest<HTMLElement>('[hidden]')!.hidden = false;
  input.addEventListener('input', () => {
    const wanted = input.value.trim().toLowerCase();
    for (const group of list.querySelectorAll('details')) {
      let found = 0;
      for (const entry of group.querySelectorAll<HTMLElement>('li')) {
        entry.hidden = !entry.textContent.toLowerCase().includes(wanted);
        if (!entry.hidden) found++;
      }
      group.hidden = found === 0;
      group.open = wanted !== '' && found > 0;
    }
    for (const section of list.querySelectorAll('section')) section.hidden = !section.querySelector('details:not([hidden])');
  });
}
