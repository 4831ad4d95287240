// The picture of the model: what is pointed at or has the focus is marked, with its lines and what they lead to.

function follow({ target }: Event): void {
  const element = target as Element;
  for (const marked of document.querySelectorAll('.picture .followed')) marked.classList.remove('followed');
  const name = element.closest<SVGAElement>('.picture a')?.dataset.name;
  const drawing = element.closest('.picture svg');
  if (!name || !drawing) return;
  const lines = [...drawing.querySelectorAll<SVGPathElement>(`path[data-ends~="${name}"]`)];
  const names = new Set([name, ...lines.flatMap((line) => line.dataset.ends!.split(' '))]);
  const boxes = [...drawing.querySelectorAll<SVGAElement>('a')].filter((box) => names.has(box.dataset.name!));
  for (const part of [...lines, ...boxes]) part.classList.add('followed');
}

if (document.querySelector('.picture')) for (const event of ['pointerover', 'focusin']) document.addEventListener(event, follow);
