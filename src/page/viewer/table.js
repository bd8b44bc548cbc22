// Tables sort by a click on a head; data-value is what a number column sorts by. What has no number comes last.
(function () {
    "use strict";

    function compareCells(column, numeric, sign) {
        return function (a, b) {
            const x = a.cells[column], y = b.cells[column];
            if (!numeric) return sign * x.textContent.localeCompare(y.textContent);
            const u = parseFloat(x.dataset.value), v = parseFloat(y.dataset.value);
            if (isNaN(u) || isNaN(v)) return isNaN(u) - isNaN(v);
            return sign * (u - v);
        };
    }

    function sortBy(head) {
        const table = head.closest("table"), body = table.tBodies[0];
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = Array.from(body.rows);
        rows.sort(compareCells(head.cellIndex, head.classList.contains("number"), down ? -1 : 1));
        body.append(...rows);
    }

    document.addEventListener("click", function (event) {
        const button = event.target.closest("thead th button");
        if (button) sortBy(button.closest("th"));
    });
})();
