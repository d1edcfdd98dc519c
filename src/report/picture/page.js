// Says below the picture what stands under the mouse or has the focus, and marks its rows.
for (const section of document.querySelectorAll("section")) {
  const told = section.querySelector(".told"), resting = told.textContent;
  const show = (event) => {
    const mark = event.target.closest?.("svg.picture g");
    section.querySelectorAll("tr.on").forEach((row) => row.classList.remove("on"));
    const title = mark?.querySelector("title");
    if (!title) { told.textContent = resting; return; }
    told.textContent = title.textContent.replaceAll(" | ", "\n");
    const rows = section.querySelectorAll("tbody tr:not(.day)");
    for (const place of (mark.dataset.rows ?? "").split(" ")) if (place) rows[place]?.classList.add("on");
  };
  const svg = section.querySelector("svg.picture");
  for (const kind of ["mouseover", "focusin"]) svg.addEventListener(kind, show);
  for (const kind of ["mouseleave", "focusout"]) svg.addEventListener(kind, () => show({ target: section }));
}
