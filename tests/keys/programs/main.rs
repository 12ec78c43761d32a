#[allow(dead_code)]
mod keys;
fn main() {
    for line in std::io::stdin().lines() {
        match keys::find(line.unwrap().parse().unwrap()) {
            Some(value) => println!("{value}"),
            None => println!("none"),
        }
    }
}
