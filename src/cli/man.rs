//! `gesf-tui man`: the manual page, one section per subcommand.

use std::io::{self, Write};

use clap_mangen::Man;

pub(super) fn run(mut command: clap::Command) -> io::Result<()> {
    // Gives every subcommand its full name, `gesf-tui-info`.
    command.build();
    let mut out = io::stdout().lock();
    Man::new(command.clone()).render(&mut out)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let page = Man::new(sub.clone());
        page.render_name_section(&mut out)?;
        page.render_synopsis_section(&mut out)?;
        page.render_description_section(&mut out)?;
        page.render_options_section(&mut out)?;
    }
    out.flush()
}
